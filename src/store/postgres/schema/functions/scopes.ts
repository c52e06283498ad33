/** Projects that members share. */
export const SCOPES = `
-- Opens a project to the team, or to these members beside oneself. A member who cannot see an existing one cannot open it.
create function share_scope(p_key text, p_with text[]) returns void
language plpgsql security definer set search_path = dex, pg_temp as $$
declare v member; v_scope int; begin
  v := require_role('member', 'admin');
  if cardinality(p_with) > 1000 then raise exception 'too many members' using errcode = 'DX004'; end if;
  if exists (select from unnest(p_with) n where not exists (select from member where team = v.team and name = n and revoked is null)) then
    raise exception 'no such member' using errcode = 'DX005';
  end if;
  insert into scope (team, key) values (v.team, p_key) on conflict do nothing returning scope into v_scope;
  if v_scope is null then
    select scope into v_scope from scope where team = v.team and key = p_key and scope in (select visible_scopes());
    if v_scope is null then raise exception 'not shared with you' using errcode = 'DX003'; end if;
    if p_with is null then
      -- Opening it to everyone is for those who could already see it and may manage it.
      if not exists (select from share where scope = v_scope and member is null) then
        perform require_role('admin');
        insert into share (scope, member) values (v_scope, null) on conflict do nothing;
      end if;
    else
      insert into share (scope, member) select v_scope, m.member from member m
        where m.team = v.team and m.name = any(p_with) on conflict do nothing;
    end if;
  else
    insert into bucket (scope) values (v_scope);
    if p_with is null then insert into share (scope, member) values (v_scope, null);
    else insert into share (scope, member) select v_scope, m.member from member m
      where m.team = v.team and (m.name = any(p_with) or m.member = v.member);
    end if;
  end if;
  perform note_audit('share', jsonb_build_object('scope', v_scope, 'with', p_with));
end $$;
create function scopes() returns table (scope int, key text, everyone boolean, names text[], conversations bigint,
    messages bigint, mine bigint)
language sql stable security definer set search_path = dex, pg_temp as $$
  select s.scope, s.key, exists (select from share x where x.scope = s.scope and x.member is null),
    array(select m.name from share x join member m using (member) where x.scope = s.scope order by 1),
    count(c.conv), coalesce(sum(c.messages), 0)::bigint, count(c.conv) filter (where c.owner = me())
  from scope s left join bucket b using (scope) left join conversation c using (bucket)
  where s.scope in (select visible_scopes()) group by s.scope order by s.key $$;
`;
