/** The functions through which members write: one call, one transaction. Errors have codes that begin with DX. */

/** Team, members, devices. */
const PEOPLE = `
-- For the role that installs; it is not granted to members.
create function create_team(p_team text, p_member text, p_machine text, p_login text, p_verifier text) returns int
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v_team int; v_member int; begin
  insert into team (name) values (p_team) returning team into v_team;
  insert into member (team, name, role) values (v_team, p_member, 'admin') returning member into v_member;
  perform login_create(p_login, p_verifier, null, false);
  insert into device (member, login, machine, joined) values (v_member, p_login, p_machine, now());
  insert into audit (team, member, what) values (v_team, v_member, 'create');
  return v_team;
end $$;
-- A login for the gateway. For the role that installs.
create function create_gateway(p_login text, p_verifier text) returns void
language plpgsql security definer set search_path = dex, pg_temp as $$
begin perform login_create(p_login, p_verifier, null, true); end $$;
-- What a client asks first: who it is, and which schema and epoch it talks to.
create function hello() returns jsonb language plpgsql stable security definer set search_path = dex, pg_temp as $$
declare v jsonb; begin
  select jsonb_build_object('member', m.member, 'name', m.name, 'role', m.role, 'device', d.device,
      'machine', d.machine, 'joined', d.joined is not null, 'team', t.name, 'settings', t.settings,
      'epoch', (select value from meta where key = 'epoch'),
      'schema', (select value::int from meta where key = 'schema'),
      'oldest_client', (select value::int from meta where key = 'oldest_client'))
    into v from device d join member m using (member) join team t using (team) where d.device = my_device();
  if v is null then raise exception 'not a member' using errcode = 'DX001'; end if;
  return v;
end $$;
create function members() returns table (member int, name text, role text, machines text[], created timestamptz,
    revoked timestamptz, pending boolean)
language sql stable security definer set search_path = dex, pg_temp as $$
  select m.member, m.name, m.role,
    array(select coalesce(d.machine, 'invited') from device d where d.member = m.member and d.revoked is null
      and (d.joined is not null or d.expires > now()) order by d.device),
    m.created, m.revoked,
    not exists (select from device d where d.member = m.member and d.joined is not null)
  from member m where m.team = my_team() order by m.name $$;
-- Machines of members, for the origin of a hit.
create function machines() returns table (device int, member int, machine text)
language sql stable security definer set search_path = dex, pg_temp as $$
  select d.device, d.member, d.machine from device d join member m using (member)
  where m.team = my_team() and d.joined is not null $$;
-- Invites a person, or another machine of one. Admins invite anyone, members only further machines of their own.
create function invite(p_name text, p_role text, p_login text, p_verifier text, p_token bytea, p_days int) returns int
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v member; v_member member; v_device int; begin
  v := require_role('reader', 'member', 'admin');
  if p_days not between 1 and 90 then raise exception 'an invitation lasts 1 to 90 days' using errcode = 'DX004'; end if;
  select * into v_member from member where team = v.team and name = p_name;
  if v.role <> 'admin' and (v_member.member is distinct from v.member or p_role is not null) then
    raise exception 'only an admin invites others' using errcode = 'DX002';
  end if;
  if (select count(*) from device where member = v_member.member and revoked is null) >= 50 then
    raise exception 'a member has at most 50 machines' using errcode = 'DX004';
  end if;
  if v_member.member is null then
    insert into member (team, name, role) values (v.team, p_name, coalesce(p_role, 'member')) returning * into v_member;
  else
    update member set revoked = null, role = coalesce(p_role, role) where member = v_member.member;
  end if;
  if p_login is not null then perform login_create(p_login, p_verifier, p_days, false); end if;
  insert into device (member, login, token, expires)
    values (v_member.member, p_login, p_token, now() + make_interval(days => p_days)) returning device into v_device;
  perform note_audit('invite', jsonb_build_object('member', v_member.member, 'role', v_member.role));
  return v_device;
end $$;
-- Spends an invitation: the device gets a secret that only it knows.
create function activate(p_machine text, p_verifier text, p_token bytea) returns void
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v device; begin
  select * into v from device where device = my_device() for update;
  if v.device is null then raise exception 'not a member' using errcode = 'DX001'; end if;
  if v.joined is not null then raise exception 'this invitation was used' using errcode = 'DX006'; end if;
  if v.login is not null then perform login_secret(v.login, p_verifier);
  elsif length(p_token) <> 32 then raise exception 'not a token' using errcode = 'DX004'; end if;
  update device set joined = now(), expires = null, machine = left(p_machine, 100),
    token = case when login is null then p_token end where device = v.device;
  perform note_audit('join', jsonb_build_object('machine', left(p_machine, 100)));
end $$;
create function set_role(p_name text, p_role text) returns boolean
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v member; begin
  v := require_role('admin');
  perform from member where team = v.team and role = 'admin' and revoked is null for update;
  if p_role <> 'admin' and not exists (select from member where team = v.team and role = 'admin' and revoked is null
      and name <> p_name) then
    raise exception 'a team needs an admin' using errcode = 'DX007';
  end if;
  update member set role = p_role where team = v.team and name = p_name and revoked is null;
  if not found then return false; end if;
  perform note_audit('role', jsonb_build_object('name', p_name, 'role', p_role));
  return true;
end $$;
-- Closes every machine of a member, or one. A member may close their own; the last admin stays.
create function revoke_member(p_name text, p_device int) returns int
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v member; v_member member; v_count int := 0; v_device device; begin
  v := require_role('reader', 'member', 'admin');
  perform from member where team = v.team and role = 'admin' and revoked is null for update;
  select * into v_member from member where team = v.team and name = p_name;
  if v_member.member is null then return 0; end if;
  if v.role <> 'admin' and v_member.member <> v.member then
    raise exception 'only an admin revokes others' using errcode = 'DX002';
  end if;
  if p_device is null and v_member.role = 'admin' and v_member.revoked is null and not exists (
      select from member where team = v.team and role = 'admin' and revoked is null and member <> v_member.member) then
    raise exception 'a team needs an admin' using errcode = 'DX007';
  end if;
  perform note_audit('revoke', jsonb_build_object('name', p_name, 'device', p_device));
  for v_device in select * from device where member = v_member.member and revoked is null
      and (p_device is null or device = p_device) loop
    update device set revoked = now(), token = case when login is null then token end where device = v_device.device;
    if v_device.login is not null then perform login_close(v_device.login); end if;
    v_count := v_count + 1;
  end loop;
  if p_device is null then update member set revoked = now() where member = v_member.member and revoked is null; end if;
  return v_count;
end $$;
create function set_setting(p_key text, p_value jsonb) returns void
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v member; begin
  v := require_role('admin');
  if p_key not in ('review_hours', 'patterns') or pg_column_size(p_value) > 65536 then
    raise exception 'no such setting' using errcode = 'DX004';
  end if;
  update team set settings = jsonb_set(settings, array[p_key], p_value) where team = v.team;
  perform note_audit('setting', jsonb_build_object('key', p_key));
end $$;
create function audit_log(p_limit int) returns table (at timestamptz, name text, what text, detail jsonb)
language plpgsql stable security definer set search_path = dex, pg_temp as $$
declare v member; begin
  v := require_role('admin');
  return query select a.at, m.name, a.what, a.detail from audit a left join member m on m.member = a.member
    where a.team = v.team order by a.id desc limit least(p_limit, 1000);
end $$;
-- The device of a token; for the gateway alone.
create function device_of(p_token bytea) returns int language plpgsql stable security definer set search_path = dex, pg_temp as $$
begin
  if not pg_has_role(session_user, 'dex_gateway', 'member') then raise insufficient_privilege; end if;
  return (select d.device from device d join member m using (member) where d.token = p_token and d.revoked is null
    and m.revoked is null and (d.joined is not null or d.expires > now()));
end $$;
`;

/** Projects. */
const SCOPES = `
-- Opens a project to the team, or to these members beside oneself. Who cannot see an existing one cannot open it.
create function share_scope(p_key text, p_with text[]) returns void
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v member; v_scope int; begin
  v := require_role('member', 'admin');
  if cardinality(p_with) > 1000 then raise exception 'too many members' using errcode = 'DX004'; end if;
  if exists (select from unnest(p_with) n where not exists (select from member where team = v.team and name = n and revoked is null)) then
    raise exception 'no such member' using errcode = 'DX005';
  end if;
  insert into scope (team, key) values (v.team, p_key) on conflict do nothing returning scope into v_scope;
  if v_scope is null then
    select scope into v_scope from scope where team = v.team and key = p_key and scope in (select visible_scopes());
    if v_scope is null then raise exception 'not shared with you' using errcode = 'DX003'; end if;
    if p_with is null then
      -- Opening it to everyone is for those who could already see it and may manage it.
      if not exists (select from share where scope = v_scope and member is null) then
        perform require_role('admin');
        insert into share (scope, member) values (v_scope, null) on conflict do nothing;
      end if;
    else
      insert into share (scope, member) select v_scope, m.member from member m
        where m.team = v.team and m.name = any(p_with) on conflict do nothing;
    end if;
  else
    insert into bucket (scope) values (v_scope);
    if p_with is null then insert into share (scope, member) values (v_scope, null);
    else insert into share (scope, member) select v_scope, m.member from member m
      where m.team = v.team and (m.name = any(p_with) or m.member = v.member);
    end if;
  end if;
  perform note_audit('share', jsonb_build_object('scope', v_scope, 'with', p_with));
end $$;
create function scopes() returns table (scope int, key text, everyone boolean, names text[], conversations bigint,
    messages bigint, mine bigint)
language sql stable security definer set search_path = dex, pg_temp as $$
  select s.scope, s.key, exists (select from share x where x.scope = s.scope and x.member is null),
    array(select m.name from share x join member m using (member) where x.scope = s.scope order by 1),
    count(c.conv), coalesce(sum(c.messages), 0)::bigint, count(c.conv) filter (where c.owner = me())
  from scope s left join bucket b using (scope) left join conversation c using (bucket)
  where s.scope in (select visible_scopes()) group by s.scope order by s.key $$;
`;

/** Conversations: append, state, forget. */
const CONVERSATIONS = `
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
    update bucket x set version = x.version + 1, messages = x.messages + p_messages - c.messages where x.bucket = b.bucket;
    status := 'appended'; bytes := p_at + length(p_data); generation := p_generation;
  elsif exists (select from frame f where f.bucket = b.bucket and f.conv = c.conv and f.generation = p_generation
      and f.at = p_at and f.sha = sha256(p_data)) then status := 'had';
  else status := 'differs'; end if;
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
    update bucket x set version = x.version + 1, messages = x.messages - c.messages where x.bucket = c.bucket;
    n := n + 1;
  end loop;
  return n;
end $$;
-- Removes a conversation of one's own and refuses its return.
create function forget(p_source text, p_id text) returns int
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v member; n int; begin
  v := require_role('member', 'admin');
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
  v := require_role('member', 'admin');
  select scope into v_scope from scope where team = v.team and key = p_scope;
  if v_scope is null then return 0; end if;
  n := drop_conversations(v.member, p_source, p_id, v_scope);
  if p_source is null then delete from note x using bucket b where b.scope = v_scope and x.bucket = b.bucket and x.owner = v.member; end if;
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
    insert into note (bucket, owner, kind, id, body) values (v_bucket, v.member, p_kind, p_id, p_body)
      on conflict (bucket, owner, kind, id) do update set body = excluded.body, at = now() where note.body <> excluded.body;
  end if;
  update bucket set version = version + 1 where bucket = v_bucket;
end $$;
`;

/**
 * The index, which clients derive from frames. A segment is written in pieces and published by its last call; a writer
 * states the version of the list that it saw, so of two writers one begins again.
 */
const INDEX = `
create function writable_bucket(p_bucket int) returns bucket
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v bucket; begin
  perform require_role('member', 'admin');
  select * into v from bucket where bucket = p_bucket and scope in (select visible_scopes()) for update;
  if v.bucket is null then raise exception 'not shared with you' using errcode = 'DX003'; end if;
  return v;
end $$;
-- Takes or prolongs the right to write the index for some seconds. Null: another device has it.
create function index_claim(p_bucket int, p_seconds int) returns bigint
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v bucket; begin
  v := writable_bucket(p_bucket);
  if v.index_lease > now() and v.index_device is distinct from my_device() then return null; end if;
  update bucket set index_lease = now() + make_interval(secs => least(greatest(p_seconds, 0), 600)), index_device = my_device()
    where bucket = p_bucket;
  -- Pieces of segments that a killed writer left behind.
  perform drop_segments(p_bucket, array(select id from segment where bucket = p_bucket and not ready
    and (device = my_device() or created < now() - interval '1 hour')));
  return v.index_version;
end $$;
create function drop_segments(p_bucket int, p_ids bigint[]) returns void
language plpgsql security definer set search_path = dex, pg_temp as $$
begin
  delete from term_block where bucket = p_bucket and segment = any(p_ids);
  delete from vector_block where bucket = p_bucket and segment = any(p_ids);
  delete from vector_rows where bucket = p_bucket and segment = any(p_ids);
  delete from document_block where bucket = p_bucket and segment = any(p_ids);
  delete from segment where bucket = p_bucket and id = any(p_ids);
end $$;
create function segment_begin(p_bucket int, p_format int) returns bigint
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v_id bigint := nextval('segment_id'); begin
  perform writable_bucket(p_bucket);
  insert into segment (bucket, id, format, device) values (p_bucket, v_id, p_format, my_device());
  return v_id;
end $$;
-- Adds pieces to a segment of one's own that is not published. The directory says where each piece lies in the data.
create function segment_blocks(p_bucket int, p_segment bigint, p_kind text, p_directory jsonb, p_data bytea) returns void
language plpgsql security definer set search_path = dex, pg_temp as $$
begin
  perform require_role('member', 'admin');
  perform from segment where bucket = p_bucket and id = p_segment and not ready and device = my_device() for update;
  if not found then raise exception 'not an open segment' using errcode = 'DX008'; end if;
  if length(p_data) > 33554432 or pg_column_size(p_directory) > 8388608 then
    raise exception 'over a limit' using errcode = 'DX004';
  end if;
  if p_kind = 'term' then
    insert into term_block select p_bucket, p_segment, d.first, substring(p_data from d.at + 1 for d.length)
      from jsonb_to_recordset(p_directory) d(first text, at int, length int);
  elsif p_kind = 'vector' then
    insert into vector_block select p_bucket, p_segment, d.model, d.dims, d.first, d.documents,
        substring(p_data from d.owners_at + 1 for d.owners_length), substring(p_data from d.codes_at + 1 for d.codes_length),
        d.base, d.checksum
      from jsonb_to_recordset(p_directory) d(model text, dims int, first int, documents int, owners_at int,
        owners_length int, codes_at int, codes_length int, base int, checksum bigint);
  elsif p_kind = 'rows' then
    insert into vector_rows select p_bucket, p_segment, d.id, substring(p_data from d.at + 1 for d.length)
      from jsonb_to_recordset(p_directory) d(id int, at int, length int);
  else
    insert into document_block select p_bucket, p_segment, left(p_kind, 30), d.first, substring(p_data from d.at + 1 for d.length)
      from jsonb_to_recordset(p_directory) d(first int, at int, length int);
  end if;
end $$;
-- Publishes a segment (or none, with a null id) instead of others. 'stale': the list has changed since p_expected.
create function put_segment(p_bucket int, p_segment bigint, p_expected bigint, p_replaces jsonb, p_documents int,
  p_words bigint, p_checksum bigint, p_places bytea, p_roles bytea, p_lengths bytea, p_indexed jsonb, p_cleared jsonb)
returns bigint language plpgsql security definer set search_path = dex, pg_temp as $$
declare v bucket; begin
  v := writable_bucket(p_bucket);
  if v.index_version <> p_expected then return null; end if;
  if p_segment is not null then
    if length(p_places) <> p_documents::bigint * 8 or length(p_roles) <> p_documents or length(p_lengths) <> p_documents then
      raise exception 'tables differ in length' using errcode = 'DX004';
    end if;
    update segment set documents = p_documents, places = p_places, roles = p_roles, lengths = p_lengths, words = p_words,
      checksum = p_checksum, ready = true
      where bucket = p_bucket and id = p_segment and not ready and device = my_device();
    if not found then raise exception 'not an open segment' using errcode = 'DX008'; end if;
  end if;
  perform drop_segments(p_bucket, array(select value::bigint from jsonb_array_elements_text(p_replaces)));
  update conversation c set indexed_generation = d.generation, indexed = d.bytes
    from jsonb_to_recordset(p_indexed) d(conv int, generation int, bytes bigint)
    where c.bucket = p_bucket and c.conv = d.conv;
  delete from gone g using jsonb_array_elements_text(p_cleared) d where g.bucket = p_bucket and g.conv = d.value::int;
  update bucket set index_version = index_version + 1, version = version + 1 where bucket = p_bucket
    returning index_version into v.index_version;
  return v.index_version;
end $$;
-- Files and commits of conversations, from a message on.
create function put_activity(p_bucket int, p_files jsonb, p_commits jsonb) returns void
language plpgsql security definer set search_path = dex, pg_temp as $$
begin
  perform writable_bucket(p_bucket);
  if pg_column_size(p_files) > 16777216 or pg_column_size(p_commits) > 16777216 then
    raise exception 'over a limit' using errcode = 'DX004';
  end if;
  insert into file select p_bucket, d.conv, d.path, d.how, d.first
    from jsonb_to_recordset(p_files) d(conv int, path text, how text, first int)
    where length(d.path) < 2000 and exists (select from conversation c where c.bucket = p_bucket and c.conv = d.conv)
    on conflict do nothing;
  insert into commit select p_bucket, d.conv, d.first, d.sha, left(d.subject, 500)
    from jsonb_to_recordset(p_commits) d(conv int, first int, sha text, subject text)
    where length(d.sha) <= 64 and exists (select from conversation c where c.bucket = p_bucket and c.conv = d.conv)
    on conflict do nothing;
end $$;
-- Drops the whole index of a bucket; the next writer builds it again.
create function index_drop(p_bucket int) returns void
language plpgsql security definer set search_path = dex, pg_temp as $$
begin
  perform require_role('admin');
  perform writable_bucket(p_bucket);
  perform drop_segments(p_bucket, array(select id from segment where bucket = p_bucket));
  update conversation set indexed_generation = 0, indexed = 0 where bucket = p_bucket;
  update bucket set index_version = index_version + 1, version = version + 1 where bucket = p_bucket;
end $$;
`;

/** Administration of the data. */
const ADMINISTRATION = `
-- Rewrites one partition, which removes the bytes of deleted rows from its files. For admins; one call a partition.
create function purge_partition(p_table text, p_partition int) returns void
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v_table text := format('%s_%s', p_table, p_partition); begin
  perform require_role('admin');
  if not exists (select from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
      where p.relnamespace = 'dex'::regnamespace and p.relname = p_table and c.relname = v_table) then
    raise exception 'no such partition' using errcode = 'DX004';
  end if;
  execute format('cluster dex.%I using %I', v_table, v_table || '_pkey');
end $$;
-- After a restore: clients compare their ledgers with the server.
create function new_epoch() returns text language plpgsql security definer set search_path = dex, pg_temp as $$
declare v text; begin
  perform require_role('admin');
  update meta set value = gen_random_uuid()::text where key = 'epoch' returning value into v;
  perform note_audit('epoch', '{}');
  return v;
end $$;
`;

/** Functions that members and the gateway may call. */
export const FOR_MEMBERS: readonly string[] = [
  "me()",
  "visible()",
  "visible_scopes()",
  "hello()",
  "members()",
  "machines()",
  "invite(text, text, text, text, bytea, int)",
  "activate(text, text, bytea)",
  "set_role(text, text)",
  "revoke_member(text, int)",
  "set_setting(text, jsonb)",
  "audit_log(int)",
  "device_of(bytea)",
  "share_scope(text, text[])",
  "scopes()",
  "append(text, text, text, text, int, bigint, bytea, boolean, int, jsonb)",
  "state()",
  "forget(text, text)",
  "remember(text, text)",
  "withdraw(text, text, text)",
  "put_note(text, text, text, jsonb)",
  "index_claim(int, int)",
  "segment_begin(int, int)",
  "segment_blocks(int, bigint, text, jsonb, bytea)",
  "put_segment(int, bigint, bigint, jsonb, int, bigint, bigint, bytea, bytea, bytea, jsonb, jsonb)",
  "put_activity(int, jsonb, jsonb)",
  "index_drop(int)",
  "purge_partition(text, int)",
  "new_epoch()",
];

export const FUNCTIONS: string = [PEOPLE, SCOPES, CONVERSATIONS, INDEX, ADMINISTRATION].join("\n");
