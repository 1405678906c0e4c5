-- Series that were compressed with loss say so. Of those taken in earlier the header of their study tells it, which is
-- that of its volume where it has one, else of its pictures.
update series s set problems = s.problems || '[{"code": "lossy", "detail": ""}]'::jsonb
  from study t
  where t.institution_id = s.institution_id and t.id = s.study_id
    and t.header @> '[{"key": "LossyImageCompression", "value": "01"}]'::jsonb
    and not s.problems @> '[{"code": "lossy"}]'::jsonb
    and not s.problems @> '[{"code": "presentation"}]'::jsonb
    and (s.kind = 'volume' or s.kind = 'pictures' and not exists (select from series v
      where v.institution_id = s.institution_id and v.study_id = s.study_id and v.kind = 'volume'));
