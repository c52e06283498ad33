/**
 * Version 4: a team that someone can reach keeps an admin who can reach it. Triggers check it, so it holds for every function
 * that changes roles, members or machines. An admin who was only invited cannot act yet and does not count.
 */
export const ADMINS = `
create or replace function keep_admin() returns trigger
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v_team int; begin
  select team into v_team from member where member = new.member
    and (tg_relid = 'member'::regclass or (role = 'admin' and revoked is null));
  if v_team is null then return null; end if;
  -- Changed, not only locked: of two transactions that each remove an admin, the second one sees the first or fails,
  -- whatever its isolation level.
  update team set settings = settings where team = v_team;
  if not coalesce((select bool_or(m.role = 'admin') from member m join device d using (member)
      where m.team = v_team and m.revoked is null and d.revoked is null and d.joined is not null), true) then
    raise exception 'a team needs an admin' using errcode = 'DX007';
  end if;
  return null;
end $$;
revoke execute on function keep_admin from public;
create or replace trigger keep_admin after update of role, revoked on member for each row
  when (old.role = 'admin' and old.revoked is null and (new.role <> 'admin' or new.revoked is not null))
  execute function keep_admin();
create or replace trigger keep_admin after update of revoked on device for each row
  when (old.joined is not null and old.revoked is null and new.revoked is not null)
  execute function keep_admin();
`;
