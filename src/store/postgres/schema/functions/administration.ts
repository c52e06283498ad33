/** Administration of the data. */
export const ADMINISTRATION = `
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
