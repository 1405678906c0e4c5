-- A browser's session knows since when nobody has touched it (seen_at, which existed and was never written) and how long
-- that may last. Null: no idle lock. A session that is locked stays so; its owner continues its chain by signing in again.
alter table session add column idle_seconds int, add column locked_at timestamptz, add column proven_at timestamptz;
