/**
 * Version 6: each member writes the part of the index that has their own conversations, and no other. Readers compare the
 * two, so a member who writes nonsense harms only what is found of their own. The parts of before had conversations of
 * everyone; they are dropped, and each member's next push writes theirs again.
 */
export const OWN_PARTS = `
-- Words of all parts were in common segments.
truncate term_block, vector_block, vector_rows, document_block, segment, gone;
update conversation set indexed_generation = 0, indexed = 0;
update bucket set version = version + 1;
alter table segment add column if not exists owner int not null;
-- Bytes that every reader of the bucket fetches, and all others.
alter table segment add column if not exists eager bigint not null default 0;
alter table segment add column if not exists lazy bigint not null default 0;
alter table gone add column if not exists owner int not null;
create table if not exists part (
  bucket int not null,
  owner int not null,
  -- Raised whenever the member's list of segments changes; a writer states which one it saw.
  version bigint not null default 0,
  lease timestamptz,
  device int,
  primary key (bucket, owner)
);
-- A member who may only read now may still remove what they pushed, and its words.
create or replace function writable_bucket(p_bucket int) returns bucket
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v bucket; begin
  perform require_role('reader', 'member', 'admin');
  select * into v from bucket where bucket = p_bucket and scope in (select visible_scopes()) for update;
  if v.bucket is null then raise exception 'not shared with you' using errcode = 'DX003'; end if;
  return v;
end $$;
-- The buckets where something of one's own was pushed or removed that the index does not show, and how many bytes.
create or replace function lagging() returns table (bucket int, bytes bigint)
language plpgsql stable security definer set search_path = dex, pg_temp as $$
#variable_conflict use_column
declare v_me int := me(); begin
  return query select x.bucket, sum(x.bytes)::bigint from (
    select c.bucket, case when c.indexed_generation = c.generation then c.complete - c.indexed else c.complete end as bytes
      from conversation c where c.owner = v_me and c.complete > 0
        and (c.indexed_generation <> c.generation or c.indexed < c.complete)
    union all select g.bucket, 0::bigint from gone g where g.owner = v_me) x
    where x.bucket in (select visible()) group by x.bucket order by x.bucket;
end $$;
create or replace function index_claim(p_bucket int, p_seconds int) returns bigint
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v part; v_me int := me(); v_device int := my_device(); begin
  perform writable_bucket(p_bucket);
  insert into part (bucket, owner) values (p_bucket, v_me) on conflict do nothing;
  select * into v from part where bucket = p_bucket and owner = v_me for update;
  if v.lease > now() and v.device is distinct from v_device then return null; end if;
  update part set lease = now() + make_interval(secs => least(greatest(p_seconds, 0), 600)), device = v_device
    where bucket = p_bucket and owner = v_me;
  -- Pieces of segments that a killed writer left behind.
  perform drop_segments(p_bucket, array(select id from segment where bucket = p_bucket and owner = v_me and not ready
    and (device = v_device or created < now() - interval '1 hour')));
  return v.version;
end $$;
create or replace function segment_begin(p_bucket int, p_format int) returns bigint
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v_id bigint := nextval('segment_id'); v_me int := me(); begin
  perform writable_bucket(p_bucket);
  if (select count(*) from segment where bucket = p_bucket and owner = v_me) >= 1000 then
    raise exception 'over a limit' using errcode = 'DX004';
  end if;
  insert into segment (bucket, id, format, device, owner) values (p_bucket, v_id, p_format, my_device(), v_me);
  return v_id;
end $$;
-- As before, with a limit for all pieces of a segment.
create or replace function segment_blocks(p_bucket int, p_segment bigint, p_kind text, p_directory jsonb, p_data bytea) returns void
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v segment; v_eager boolean := p_kind in ('vector', 'entries'); begin
  perform require_role('reader', 'member', 'admin');
  select * into v from segment where bucket = p_bucket and id = p_segment and not ready and device = my_device()
    and owner = me() for update;
  if v.id is null then raise exception 'not an open segment' using errcode = 'DX008'; end if;
  if length(p_data) > 33554432 or pg_column_size(p_directory) > 8388608
      or (v_eager and v.eager + length(p_data) > 134217728) or (not v_eager and v.lazy + length(p_data) > 2147483648) then
    raise exception 'over a limit' using errcode = 'DX004';
  end if;
  update segment set eager = eager + case when v_eager then length(p_data) else 0 end,
    lazy = lazy + case when v_eager then 0 else length(p_data) end where bucket = p_bucket and id = p_segment;
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
  elsif p_kind in ('detail', 'entries') then
    insert into document_block select p_bucket, p_segment, p_kind, d.first, substring(p_data from d.at + 1 for d.length)
      from jsonb_to_recordset(p_directory) d(first int, at int, length int);
  else
    raise exception 'no such kind' using errcode = 'DX004';
  end if;
end $$;
-- As before, of one's own part alone: segments, conversations and removed conversations of others stay as they are.
create or replace function put_segment(p_bucket int, p_segment bigint, p_expected bigint, p_replaces jsonb, p_documents int,
  p_words bigint, p_checksum bigint, p_places bytea, p_roles bytea, p_lengths bytea, p_indexed jsonb, p_cleared jsonb)
returns bigint language plpgsql security definer set search_path = dex, pg_temp as $$
declare v_version bigint; v_me int := me(); begin
  perform writable_bucket(p_bucket);
  select version into v_version from part where bucket = p_bucket and owner = v_me for update;
  if v_version is distinct from p_expected then return null; end if;
  if p_segment is not null then
    if p_documents not between 1 and 4000000 or length(p_places) <> p_documents::bigint * 8
        or length(p_roles) <> p_documents or length(p_lengths) <> p_documents then
      raise exception 'tables differ in length' using errcode = 'DX004';
    end if;
    update segment set documents = p_documents, places = p_places, roles = p_roles, lengths = p_lengths, words = p_words,
      checksum = p_checksum, ready = true
      where bucket = p_bucket and id = p_segment and not ready and device = my_device() and owner = v_me;
    if not found then raise exception 'not an open segment' using errcode = 'DX008'; end if;
  end if;
  perform drop_segments(p_bucket, array(select id from segment where bucket = p_bucket and owner = v_me
    and id in (select value::bigint from jsonb_array_elements_text(p_replaces))));
  update conversation c set indexed_generation = d.generation, indexed = d.bytes
    from jsonb_to_recordset(p_indexed) d(conv int, generation int, bytes bigint)
    where c.bucket = p_bucket and c.conv = d.conv and c.owner = v_me;
  delete from gone g using jsonb_array_elements_text(p_cleared) d
    where g.bucket = p_bucket and g.conv = d.value::int and g.owner = v_me;
  update bucket set version = version + 1 where bucket = p_bucket;
  update part set version = version + 1 where bucket = p_bucket and owner = v_me returning version into v_version;
  return v_version;
end $$;
create or replace function put_activity(p_bucket int, p_files jsonb, p_commits jsonb) returns void
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v_me int := me(); begin
  perform writable_bucket(p_bucket);
  if pg_column_size(p_files) > 16777216 or pg_column_size(p_commits) > 16777216 then
    raise exception 'over a limit' using errcode = 'DX004';
  end if;
  insert into file select p_bucket, d.conv, d.path, d.how, d.first
    from jsonb_to_recordset(p_files) d(conv int, path text, how text, first int)
    where length(d.path) < 2000
      and exists (select from conversation c where c.bucket = p_bucket and c.conv = d.conv and c.owner = v_me)
    on conflict do nothing;
  insert into commit select p_bucket, d.conv, d.first, d.sha, left(d.subject, 500)
    from jsonb_to_recordset(p_commits) d(conv int, first int, sha text, subject text)
    where length(d.sha) <= 64
      and exists (select from conversation c where c.bucket = p_bucket and c.conv = d.conv and c.owner = v_me)
    on conflict do nothing;
end $$;
create or replace function index_drop(p_bucket int) returns void
language plpgsql security definer set search_path = dex, pg_temp as $$
begin
  perform require_role('admin');
  perform writable_bucket(p_bucket);
  perform drop_segments(p_bucket, array(select id from segment where bucket = p_bucket));
  update conversation set indexed_generation = 0, indexed = 0 where bucket = p_bucket;
  update part set version = version + 1 where bucket = p_bucket;
  update bucket set version = version + 1 where bucket = p_bucket;
end $$;
create or replace function drop_conversations(p_owner int, p_source text, p_id text, p_scope int) returns int
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
    insert into gone (bucket, conv, owner) values (c.bucket, c.conv, c.owner) on conflict do nothing;
    update bucket x set version = x.version + 1, messages = x.messages - c.messages where x.bucket = c.bucket;
    n := n + 1;
  end loop;
  return n;
end $$;
-- As before, with the words: nobody else could remove them.
create or replace function remove_member(p_name text) returns int
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v member; v_member member; v_bucket int; n int; begin
  v := require_role('admin');
  select * into v_member from member where team = v.team and name = p_name for update;
  if v_member.member is null or v_member.revoked is null then
    raise exception 'no such member without access' using errcode = 'DX005';
  end if;
  n := drop_conversations(v_member.member, null, null, null);
  perform from bucket where bucket in (select bucket from note where owner = v_member.member) order by bucket for update;
  update bucket set version = version + 1 where bucket in (select bucket from note where owner = v_member.member);
  delete from note where owner = v_member.member;
  for v_bucket in select bucket from part where owner = v_member.member order by bucket loop
    perform drop_segments(v_bucket, array(select id from segment where bucket = v_bucket and owner = v_member.member));
    update bucket set version = version + 1 where bucket = v_bucket;
  end loop;
  delete from part where owner = v_member.member;
  delete from gone where owner = v_member.member;
  perform note_audit('remove', jsonb_build_object('name', p_name, 'removed', n));
  return n;
end $$;
create or replace function hello() returns jsonb language plpgsql stable security definer set search_path = dex, pg_temp as $$
declare v jsonb; begin
  select jsonb_build_object('member', m.member, 'name', m.name, 'role', m.role, 'device', d.device,
      'machine', d.machine, 'joined', d.joined is not null, 'team', t.name, 'settings', t.settings,
      'unindexed', exists (select from lagging()),
      'epoch', (select value from meta where key = 'epoch'),
      'schema', (select value::int from meta where key = 'schema'),
      'oldest_client', (select value::int from meta where key = 'oldest_client'))
    into v from device d join member m using (member) join team t using (team) where d.device = my_device();
  if v is null then raise exception 'not a member' using errcode = 'DX001'; end if;
  return v;
end $$;
drop function if exists lags(int);
revoke execute on function lagging() from public;
grant execute on function lagging() to dex_user;
`;
