/**
 * The index, which clients derive from frames. A segment is written in pieces and published by its last call; a writer
 * states the version of the list that it saw, so of two writers one begins again.
 */
export const INDEX = `
create function writable_bucket(p_bucket int) returns bucket
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v bucket; begin
  perform require_role('member', 'admin');
  select * into v from bucket where bucket = p_bucket and scope in (select visible_scopes()) for update;
  if v.bucket is null then raise exception 'not shared with you' using errcode = 'DX003'; end if;
  return v;
end $$;
-- Whether something was pushed or removed that the index does not show.
create function lags(p_bucket int) returns boolean language sql stable security definer set search_path = dex, pg_temp as $$
  select exists (select from conversation c where c.bucket = p_bucket and c.complete > 0
      and (c.indexed_generation <> c.generation or c.indexed < c.complete))
    or exists (select from gone g where g.bucket = p_bucket) $$;
-- Takes or prolongs the right to write the index for some seconds. Null: another device has it.
create function index_claim(p_bucket int, p_seconds int) returns bigint
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v bucket; begin
  v := writable_bucket(p_bucket);
  if v.index_lease > now() and v.index_device is distinct from my_device() then return null; end if;
  update bucket set index_lease = now() + make_interval(secs => least(greatest(p_seconds, 0), 600)), index_device = my_device(),
    unindexed = case when p_seconds > 0 then unindexed else lags(p_bucket) end where bucket = p_bucket;
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
-- Adds pieces to a segment of one's own that is not published. The directory says where in the data each piece is.
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
  update bucket set index_version = index_version + 1, version = version + 1, unindexed = lags(p_bucket)
    where bucket = p_bucket returning index_version into v.index_version;
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
  update bucket set index_version = index_version + 1, version = version + 1, unindexed = true where bucket = p_bucket;
end $$;
`;
