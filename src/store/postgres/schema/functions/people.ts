/** Team, members and devices. */
export const PEOPLE = `
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
-- What a client asks first: who it is, which schema and epoch it talks to, and whether the index lags behind.
create function hello() returns jsonb language plpgsql stable security definer set search_path = dex, pg_temp as $$
declare v jsonb; begin
  select jsonb_build_object('member', m.member, 'name', m.name, 'role', m.role, 'device', d.device,
      'machine', d.machine, 'joined', d.joined is not null, 'team', t.name, 'settings', t.settings,
      'unindexed', exists (select from bucket where unindexed and scope in (select visible_scopes())),
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
