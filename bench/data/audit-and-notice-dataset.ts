import pg from "pg";
import type { Institution } from "./clinic.ts";

const batch = 200_000;
/** The years over which the audit log is spread, the current one included. */
const years = 5;

/**
 * Inserts sealed rows of the audit log, of which this organisation has a tenth and a thousand others the rest, spread
 * over five years. The seals are no real ones: the rows serve lists, not verification.
 */
export async function insertAuditRows(
  connection: pg.PoolConfig,
  { iid, uid }: Institution,
  rows: number,
): Promise<void> {
  await runAsSystem(connection, async (client) => {
    await client.query(
      `select arcada_add_partition('audit', now() - place * interval '1 year') from generate_series(0, ${years}) place`,
    );
    for (let from = 0; from < rows; from += batch)
      await client.query(insertAuditSql, [iid, uid, from + 1, Math.min(rows, from + batch), rows]);
  });
  await analyze(connection, "audit");
}

/** Inserts notices of a year for ten readers, this one among them; one in twenty is unread, one in fifty waits. */
export async function insertNotices(connection: pg.PoolConfig, { uid }: Institution, rows: number): Promise<void> {
  await runAsSystem(connection, async (client) => {
    await client.query(
      `insert into users (id, user_name) select md5('reader ' || n)::uuid, 'reader' from generate_series(1, 1000) n
        on conflict do nothing`,
    );
    for (let from = 0; from < rows; from += batch)
      await client.query(insertNoticesSql, [uid, from + 1, Math.min(rows, from + batch), rows]);
  });
  await analyze(connection, "notice");
}

async function runAsSystem(connection: pg.PoolConfig, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ ...connection, options: "-c TimeZone=UTC -c role=arcada_system" });
  await client.connect();
  await work(client).finally(() => client.end());
}

async function analyze(connection: pg.PoolConfig, table: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(`vacuum analyze ${table}`);
  await client.end();
}

const insertAuditSql = `
  insert into audit (institution_id, user_id, action, subject, detail, address, at, seq, hash)
  select case when n % 10 = 0 then $1::uuid else md5('house ' || n % 1000)::uuid end,
    case when n % 30 = 0 then $2::uuid else md5('person ' || n % 5000)::uuid end,
    (array['patient.read', 'study.read', 'order.read', 'patient.list', 'report.sign'])[1 + n / 10 % 5],
    md5('subject ' || n / 40)::uuid::text, '{}', '192.0.2.1',
    now() - ($5::bigint - n) * interval '${years - 1} years' / $5::bigint, n, repeat('a', 43)
  from generate_series($3::bigint, $4::bigint) n`;

// A reader has two thousand notices a year at any size: more readers bring more rows, not more rows for each.
const insertNoticesSql = `
  insert into notice (id, user_id, kind, topic, created_at, changed_at, waits, seen_at)
  select md5('notice ' || n)::uuid,
    case when n % (1 + $4::bigint / 2000) = 0 then $1::uuid else md5('reader ' || 1 + n % 1000)::uuid end,
    'orderMoved', 'order:' || md5('topic ' || n / 7)::uuid, at, at, n % 50 = 0, case when n % 20 > 0 then at end
  from (select n, now() - ($4::bigint - n) * interval '364 days' / $4::bigint as at
    from generate_series($2::bigint, $3::bigint) n) each`;
