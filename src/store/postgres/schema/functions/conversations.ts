/** Conversations: append, state, forget; and notes. */
export const CONVERSATIONS = `
create function tombstone_hash(p_team int, p_owner int, p_source text, p_id text) returns bytea
language sql stable security definer set search_path = dex, pg_temp as $$
  select sha256(convert_to(jsonb_build_array(secret, p_owner, p_source, p_id)::text, 'UTF8')) from team where team = p_team $$;
-- Idempotent. One transaction a call; the bucket's row is locked first, so two calls never wait for each other in a circle.
create function append(p_scope text, p_source text, p_id text, p_branch text, p_generation int, p_at bigint,
  p_data bytea, p_complete boolean, p_messages int, p_meta jsonb,
  out status text, out bytes bigint, out generation int, out device int)
language plpgsql security definer set search_path = dex, pg_temp as $$
#variable_conflict use_column
declare v member; c conversation; b bucket; v_device int := my_device(); begin
  v := require_role('member', 'admin');
  if length(p_data) not between 1 and 16777216 or length(p_id) not between 1 and 2000 or length(p_source) > 100
      or length(p_branch) > 100 or pg_column_size(p_meta) > 65536 or p_messages not between 0 and 10000000
      or p_generation not between 1 and 1000000 or p_at < 0 then
    raise exception 'over a limit' using errcode = 'DX004';
  end if;
  if exists (select from tombstone t where t.team = v.team and t.hash = tombstone_hash(v.team, v.member, p_source, p_id)) then
    status := 'forgotten'; return;
  end if;
  -- The bucket that has it, else the newest one.
  select x.* into b from bucket x join scope s using (scope)
    where s.team = v.team and s.key = p_scope and s.scope in (select visible_scopes())
    order by exists (select from conversation k where k.bucket = x.bucket and k.owner = v.member and k.source = p_source
      and k.id = p_id and k.branch = p_branch) desc, x.bucket desc limit 1;
  if b.bucket is null then raise exception 'not shared with you' using errcode = 'DX003'; end if;
  select * into b from bucket x where x.bucket = b.bucket for update;
  select * into c from conversation k where k.bucket = b.bucket and k.owner = v.member and k.source = p_source
    and k.id = p_id and k.branch = p_branch;
  if c.conv is null then
    if b.messages >= 1000000 then
      insert into bucket (scope) values (b.scope) returning * into b;
    end if;
    insert into conversation (bucket, conv, owner, device, source, id, branch, generation, meta)
      values (b.bucket, b.next_conv, v.member, v_device, p_source, p_id, p_branch, p_generation, p_meta) returning * into c;
    update bucket x set next_conv = x.next_conv + 1 where x.bucket = b.bucket;
  end if;
  generation := c.generation; bytes := c.bytes; device := c.device;
  if p_generation < c.generation then status := 'stale'; return; end if;
  if p_generation > c.generation then
    -- Only the device that wrote it may replace it; a different copy of another one is a branch.
    if c.device <> v_device then status := 'differs'; return; end if;
    if p_at <> 0 then status := 'differs'; return; end if;
    delete from frame f where f.bucket = b.bucket and f.conv = c.conv;
    delete from file f where f.bucket = b.bucket and f.conv = c.conv;
    delete from commit f where f.bucket = b.bucket and f.conv = c.conv;
    c.bytes := 0; c.complete := 0; c.generation := p_generation;
    update bucket x set messages = x.messages - c.messages where x.bucket = b.bucket;
    c.messages := 0;
  end if;
  if p_at = c.bytes then
    insert into frame values (b.bucket, c.conv, p_generation, p_at, p_data, sha256(p_data));
    update conversation k set bytes = p_at + length(p_data), generation = p_generation, meta = p_meta, pushed = now(),
      complete = case when p_complete then p_at + length(p_data) else c.complete end,
      messages = p_messages where k.bucket = b.bucket and k.conv = c.conv;
    update bucket x set version = x.version + 1, unindexed = true, messages = x.messages + p_messages - c.messages where x.bucket = b.bucket;
    status := 'appended'; bytes := p_at + length(p_data); generation := p_generation;
  elsif exists (select from frame f where f.bucket = b.bucket and f.conv = c.conv and f.generation = p_generation
      and f.at = p_at and f.sha = sha256(p_data)) then status := 'had';
  else status := 'differs'; end if;
end $$;
-- Several pieces in one transaction. The directory names the place of each in the data.
create function append_all(p_calls jsonb, p_data bytea)
returns table (status text, bytes bigint, generation int, device int)
language plpgsql security definer set search_path = dex, pg_temp as $$
declare c record; begin
  if length(p_data) > 33554432 or jsonb_array_length(p_calls) > 1000 then raise exception 'over a limit' using errcode = 'DX004'; end if;
  for c in select * from jsonb_to_recordset(p_calls) x(scope text, source text, id text, branch text, generation int,
      place bigint, complete boolean, messages int, meta jsonb, start int, length int) loop
    return query select * from append(c.scope, c.source, c.id, c.branch, c.generation, c.place,
      substring(p_data from c.start + 1 for c.length), c.complete, c.messages, c.meta);
  end loop;
end $$;
create function state() returns table (scope text, source text, id text, branch text, device int, generation int, bytes bigint)
language sql stable security definer set search_path = dex, pg_temp as $$
  select s.key, c.source, c.id, c.branch, c.device, c.generation, c.bytes
  from conversation c join bucket b using (bucket) join scope s using (scope) where c.owner = me() $$;
create function drop_conversations(p_owner int, p_source text, p_id text, p_scope int) returns int
language plpgsql security definer set search_path = dex, pg_temp as $$
#variable_conflict use_column
declare c conversation; n int := 0; begin
  perform from bucket b where b.bucket in (select k.bucket from conversation k join bucket using (bucket)
    where k.owner = p_owner and (p_source is null or k.source = p_source) and (p_id is null or k.id = p_id)
    and (p_scope is null or scope = p_scope)) order by b.bucket for update;
  for c in select k.* from conversation k join bucket b using (bucket) where k.owner = p_owner
      and (p_source is null or k.source = p_source) and (p_id is null or k.id = p_id) and (p_scope is null or b.scope = p_scope) loop
    delete from frame f where f.bucket = c.bucket and f.conv = c.conv;
    delete from file f where f.bucket = c.bucket and f.conv = c.conv;
    delete from commit f where f.bucket = c.bucket and f.conv = c.conv;
    delete from conversation k where k.bucket = c.bucket and k.conv = c.conv;
    insert into gone (bucket, conv) values (c.bucket, c.conv) on conflict do nothing;
    update bucket x set version = x.version + 1, unindexed = true, messages = x.messages - c.messages where x.bucket = c.bucket;
    n := n + 1;
  end loop;
  return n;
end $$;
-- Removes a conversation of one's own and refuses its return.
create function forget(p_source text, p_id text) returns int
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v member; n int; begin
  v := require_role('reader', 'member', 'admin');
  insert into tombstone (team, hash) values (v.team, tombstone_hash(v.team, v.member, p_source, p_id)) on conflict do nothing;
  n := drop_conversations(v.member, p_source, p_id, null);
  perform note_audit('forget', jsonb_build_object('source', p_source, 'removed', n));
  return n;
end $$;
-- Lifts a tombstone of one's own.
create function remember(p_source text, p_id text) returns boolean
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v member; begin
  v := require_role('member', 'admin');
  delete from tombstone where team = v.team and hash = tombstone_hash(v.team, v.member, p_source, p_id);
  return found;
end $$;
-- Removes one's own conversations of a project; they may come back. Without a project, one conversation by its id.
create function withdraw(p_scope text, p_source text, p_id text) returns int
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v member; v_scope int; n int; begin
  v := require_role('reader', 'member', 'admin');
  select scope into v_scope from scope where team = v.team and key = p_scope;
  if v_scope is null then return 0; end if;
  n := drop_conversations(v.member, p_source, p_id, v_scope);
  if p_source is null then
    delete from note x using bucket b where b.scope = v_scope and x.bucket = b.bucket and x.owner = v.member;
    update bucket set version = version + 1 where scope = v_scope;
  end if;
  perform note_audit('withdraw', jsonb_build_object('scope', v_scope, 'removed', n));
  return n;
end $$;
create function put_note(p_scope text, p_kind text, p_id text, p_body jsonb) returns void
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v member; v_bucket int; begin
  v := require_role('member', 'admin');
  if length(p_kind) > 50 or length(p_id) > 500 or pg_column_size(p_body) > 65536 then
    raise exception 'over a limit' using errcode = 'DX004';
  end if;
  select min(bucket) into v_bucket from bucket join scope s using (scope)
    where s.team = v.team and s.key = p_scope and s.scope in (select visible_scopes());
  if v_bucket is null then raise exception 'not shared with you' using errcode = 'DX003'; end if;
  if p_body is null then delete from note where bucket = v_bucket and owner = v.member and kind = p_kind and id = p_id;
  else
    if (select count(*) from note where bucket = v_bucket and owner = v.member) >= 10000 then
      raise exception 'too many notes' using errcode = 'DX004';
    end if;
    insert into note (bucket, owner, kind, id, body) values (v_bucket, v.member, p_kind, p_id, p_body)
      on conflict (bucket, owner, kind, id) do update set body = excluded.body, at = now() where note.body <> excluded.body;
  end if;
  update bucket set version = version + 1 where bucket = v_bucket;
end $$;
`;
