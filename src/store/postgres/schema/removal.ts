/** Version 5: an admin removes what a member pushed whose access has ended. Nobody else could: only owners write their rows. */
export const REMOVAL = `
create or replace function remove_member(p_name text) returns int
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v member; v_member member; n int; begin
  v := require_role('admin');
  select * into v_member from member where team = v.team and name = p_name for update;
  if v_member.member is null or v_member.revoked is null then
    raise exception 'no such member without access' using errcode = 'DX005';
  end if;
  n := drop_conversations(v_member.member, null, null, null);
  perform from bucket where bucket in (select bucket from note where owner = v_member.member) order by bucket for update;
  update bucket set version = version + 1 where bucket in (select bucket from note where owner = v_member.member);
  delete from note where owner = v_member.member;
  perform note_audit('remove', jsonb_build_object('name', p_name, 'removed', n));
  return n;
end $$;
revoke execute on function remove_member(text) from public;
grant execute on function remove_member(text) to dex_user;
`;
