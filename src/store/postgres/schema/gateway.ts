/**
 * Version 2: devices that reach the team through a gateway, with a token instead of a login. The server has the SHA-256 of
 * a token alone.
 */
export const GATEWAY = `
-- The device of a token; an error if there is none, also while the gateway waits. An invitation may only join.
create function gateway_enter(p_token bytea, p_joining boolean) returns int
language plpgsql stable security definer set search_path = dex, pg_temp as $$
declare v_device int; begin
  if not pg_has_role(session_user, 'dex_gateway', 'member') then raise insufficient_privilege; end if;
  select d.device into v_device from device d join member m using (member)
    where d.token = p_token and d.revoked is null and m.revoked is null
      and (d.joined is not null or (p_joining and d.expires > now()));
  if v_device is null then raise exception 'not a member' using errcode = 'DX001'; end if;
  return v_device;
end $$;
-- The machines and open invitations of the team. Invitations of others are for admins.
create function devices() returns table (device int, member int, machine text, gateway boolean, created timestamptz,
    joined timestamptz, expires timestamptz)
language sql stable security definer set search_path = dex, pg_temp as $$
  select d.device, d.member, d.machine, d.login is null, d.created, d.joined, d.expires
  from device d join member m using (member)
  where m.team = my_team() and d.revoked is null and m.revoked is null
    and (d.joined is not null or (d.expires > now() and (d.member = me()
      or exists (select from member x where x.member = me() and x.role = 'admin'))))
  order by d.device $$;
-- As before, with a check of the token, and with the way of access in the audit log.
create or replace function invite(p_name text, p_role text, p_login text, p_verifier text, p_token bytea, p_days int)
returns int language plpgsql security definer set search_path = dex, pg_temp as $$
declare v member; v_member member; v_device int; begin
  v := require_role('reader', 'member', 'admin');
  if p_days not between 1 and 90 then raise exception 'an invitation lasts 1 to 90 days' using errcode = 'DX004'; end if;
  if p_login is null and length(p_token) is distinct from 32 then raise exception 'not a token' using errcode = 'DX004'; end if;
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
    update member set revoked = null, role = coalesce(p_role, role) where member = v_member.member returning * into v_member;
  end if;
  if p_login is not null then perform login_create(p_login, p_verifier, p_days, false); end if;
  insert into device (member, login, token, expires)
    values (v_member.member, p_login, p_token, now() + make_interval(days => p_days)) returning device into v_device;
  perform note_audit('invite', jsonb_build_object('member', v_member.member, 'role', v_member.role, 'gateway', p_login is null));
  return v_device;
end $$;
-- As before, with the address of the gateway; null removes a setting.
create or replace function set_setting(p_key text, p_value jsonb) returns void
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v member; begin
  v := require_role('admin');
  if p_key not in ('review_hours', 'patterns', 'gateway') or pg_column_size(p_value) > 65536 then
    raise exception 'no such setting' using errcode = 'DX004';
  end if;
  update team set settings = case when p_value is null then settings - p_key
    else jsonb_set(settings, array[p_key], p_value) end where team = v.team;
  perform note_audit('setting', jsonb_build_object('key', p_key));
end $$;
revoke execute on function gateway_enter, devices from public;
grant execute on function gateway_enter(bytea, boolean), devices() to dex_user;
`;
