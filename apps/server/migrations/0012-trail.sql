-- The trail by person and by what it is about: who was never there, or what is rare, would be looked for in all of it.
create index audit_by_person on audit (institution_id, user_id, at desc);
create index audit_by_group on audit (institution_id, split_part(action, '.', 1), at desc);
