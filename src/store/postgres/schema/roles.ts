/**
 * The roles of a team's server. `dex_owner` owns every table and function; nobody logs in as it. `dex_user` is what
 * every member's login is a member of. `dex_gateway` may speak for members. `dex_roles` may create logins, and owns the
 * three functions that do so and nothing else.
 */
export const ROLES = `
do $$ begin
  if not exists (select from pg_roles where rolname = 'dex_owner') then create role dex_owner nologin; end if;
  if not exists (select from pg_roles where rolname = 'dex_user') then create role dex_user nologin; end if;
  if not exists (select from pg_roles where rolname = 'dex_gateway') then create role dex_gateway nologin; end if;
  if not exists (select from pg_roles where rolname = 'dex_roles') then create role dex_roles nologin createrole; end if;
  if not pg_has_role(current_user, 'dex_owner', 'member') then execute format('grant dex_owner to %I', current_user); end if;
  if not pg_has_role(current_user, 'dex_roles', 'member') then execute format('grant dex_roles to %I', current_user); end if;
end $$;
grant dex_user, dex_gateway to dex_roles with admin option;
create schema dex authorization dex_owner;
revoke all on schema dex from public;
grant usage on schema dex to dex_user, dex_roles;
`;

/** Run as the role that installs, after the functions were created as \`dex_owner\`. */
export const LOGIN_FUNCTIONS = `
create function dex.login_create(p_login text, p_verifier text, p_days int, p_gateway boolean) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_login !~ '^dex_[0-9a-f]{16}$' then raise exception 'not a login of dex'; end if;
  if p_verifier !~ '^SCRAM-SHA-256\\$[0-9]{4,7}:[A-Za-z0-9+/=]{8,64}\\$[A-Za-z0-9+/=]{20,64}:[A-Za-z0-9+/=]{20,64}$' then
    raise exception 'not a SCRAM verifier';
  end if;
  execute format('create role %I login password %L valid until %L', p_login, p_verifier,
    case when p_days is null then 'infinity' else (now() + make_interval(days => p_days))::text end);
  execute format('grant dex_user to %I', p_login);
  if p_gateway then execute format('grant dex_gateway to %I', p_login); end if;
  execute format('alter role %I set statement_timeout = ''60s''', p_login);
  execute format('alter role %I set lock_timeout = ''20s''', p_login);
  execute format('alter role %I set idle_in_transaction_session_timeout = ''30s''', p_login);
end $$;
create function dex.login_secret(p_login text, p_verifier text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_login !~ '^dex_[0-9a-f]{16}$' then raise exception 'not a login of dex'; end if;
  if p_verifier !~ '^SCRAM-SHA-256\\$[0-9]{4,7}:[A-Za-z0-9+/=]{8,64}\\$[A-Za-z0-9+/=]{20,64}:[A-Za-z0-9+/=]{20,64}$' then
    raise exception 'not a SCRAM verifier';
  end if;
  execute format('alter role %I password %L valid until ''infinity''', p_login, p_verifier);
end $$;
create function dex.login_close(p_login text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_login !~ '^dex_[0-9a-f]{16}$' then raise exception 'not a login of dex'; end if;
  if exists (select from pg_roles where rolname = p_login) then
    execute format('alter role %I nologin password null', p_login);
  end if;
end $$;
revoke execute on function dex.login_create, dex.login_secret, dex.login_close from public;
grant execute on function dex.login_create, dex.login_secret, dex.login_close to dex_owner;
grant create on schema dex to dex_roles;
alter function dex.login_create owner to dex_roles;
alter function dex.login_secret owner to dex_roles;
alter function dex.login_close owner to dex_roles;
revoke create on schema dex from dex_roles;
`;
