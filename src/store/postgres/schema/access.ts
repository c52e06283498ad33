/**
 * Determines the member who asks, and the rows they may see. Clients have SELECT under row-level security and EXECUTE on functions; they
 * write through functions alone, and have no right on a partition (the policies of the parent do not cover it).
 *
 * A policy compares with an array that a query computes once, not once for every row.
 */
import { PARTITIONED } from "./tables.ts";

export const ACCESS = `
-- The device that asks: the login itself. Only the gateway may speak for another.
create function my_device() returns int language sql stable security definer set search_path = dex, pg_temp as $$
  select d.device from device d join member m using (member)
  where d.revoked is null and m.revoked is null
    and (d.joined is not null or d.expires is null or d.expires > now())
    and case when pg_has_role(session_user, 'dex_gateway', 'member')
      then d.device = nullif(current_setting('dex.device', true), '')::int
      else d.login = session_user end $$;
create function me() returns int language sql stable security definer set search_path = dex, pg_temp as $$
  select member from device where device = my_device() $$;
create function my_team() returns int language sql stable security definer set search_path = dex, pg_temp as $$
  select team from member where member = me() $$;
create function visible_scopes() returns setof int language sql stable security definer set search_path = dex, pg_temp as $$
  select s.scope from member m join scope s using (team)
  where m.member = me() and (m.role = 'admin' or exists (
    select from share x where x.scope = s.scope and (x.member is null or x.member = m.member))) $$;
create function visible() returns setof int language sql stable security definer set search_path = dex, pg_temp as $$
  select bucket from bucket where scope in (select visible_scopes()) $$;
-- The member that asks, with one of these roles; an error otherwise.
create function require_role(variadic p_roles text[]) returns member
language plpgsql stable security definer set search_path = dex, pg_temp as $$
declare v member; begin
  select * into v from member where member = me();
  if v.member is null then raise exception 'not a member' using errcode = 'DX001'; end if;
  if not v.role = any(p_roles) then raise exception '% cannot do this', v.role using errcode = 'DX002'; end if;
  return v;
end $$;
create function note_audit(p_what text, p_detail jsonb) returns void
language sql security definer set search_path = dex, pg_temp as $$
  insert into audit (team, member, device, what, detail) values (my_team(), me(), my_device(), p_what, p_detail) $$;

alter table scope enable row level security;
create policy see on scope for select to dex_user using (scope = any(array(select visible_scopes())));
alter table bucket enable row level security;
create policy see on bucket for select to dex_user using (scope = any(array(select visible_scopes())));
grant select on scope, bucket, meta to dex_user;
${PARTITIONED.map(
  (table) => `alter table ${table} enable row level security;
create policy see on ${table} for select to dex_user using (bucket = any(array(select visible()))${
    table === "segment" ? " and ready" : ""
  });
grant select on ${table} to dex_user;`,
).join("\n")}
`;
