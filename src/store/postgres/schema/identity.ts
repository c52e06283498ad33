/**
 * Version 3: the functions of version 1 that say who asks and what they see, with the same answers. PostgreSQL plans the
 * query of an SQL function again for every call, and a push asks several times for each conversation; a function in
 * PL/pgSQL keeps its plan as long as the connection lasts. A variable is computed once, a function in a condition also
 * while the query is planned, and for every row where no index is used.
 */
export const IDENTITY = `
create or replace function my_device() returns int
language plpgsql stable security definer set search_path = dex, pg_temp as $$
declare v_device int; begin
  if pg_has_role(session_user, 'dex_gateway', 'member') then
    -- Only the gateway may speak for another.
    select d.device into v_device from device d join member m using (member)
      where d.device = nullif(current_setting('dex.device', true), '')::int and d.revoked is null and m.revoked is null
        and (d.joined is not null or d.expires is null or d.expires > now());
  else
    select d.device into v_device from device d join member m using (member)
      where d.login = session_user and d.revoked is null and m.revoked is null
        and (d.joined is not null or d.expires is null or d.expires > now());
  end if;
  return v_device;
end $$;
create or replace function me() returns int
language plpgsql stable security definer set search_path = dex, pg_temp as $$
declare v_device int := my_device(); begin
  return (select member from device where device = v_device);
end $$;
create or replace function my_team() returns int
language plpgsql stable security definer set search_path = dex, pg_temp as $$
declare v_member int := me(); begin
  return (select team from member where member = v_member);
end $$;
create or replace function visible_scopes() returns setof int
language plpgsql stable security definer set search_path = dex, pg_temp as $$
declare v_member int := me(); begin
  return query select s.scope from member m join scope s using (team)
    where m.member = v_member and (m.role = 'admin' or exists (
      select from share x where x.scope = s.scope and (x.member is null or x.member = m.member)));
end $$;
`;
