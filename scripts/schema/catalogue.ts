import pg from "pg";

/** The schema `public` of a database, in an order that depends on names alone. */
export interface Catalogue {
  /** The PostgreSQL version as a number, such as 180001. Versions print views differently. */
  version: number;
  extensions: string[];
  sequences: string[];
  functions: string[];
  tables: CatalogueTable[];
  views: string[];
}
export interface CatalogueTable {
  name: string;
  columns: CatalogueColumn[];
  /** The key of a partitioned table, such as `RANGE (at)`. */
  partitionKey: string | null;
  /** Definitions of the constraints, such as `constraint patient_pkey primary key (institution_id, id)`. */
  constraints: string[];
  /** Indexes, statistics, row-level security, policies, grants and triggers as statements. */
  statements: string[];
}
export interface CatalogueColumn {
  name: string;
  /** The type as SQL writes it, such as `timestamp(3) with time zone`. */
  type: string;
  collation: string | null;
  nullable: boolean;
  /** The expression of the default. */
  default: string | null;
  identity: boolean;
  /** The expression of a stored generated column. */
  generated: string | null;
  /** The only values that a check constraint of this column permits. */
  values: string[] | null;
}

/** Reads the catalogue. Objects of extensions and of other schemas, such as the job queue's, are left out. */
export async function readCatalogue(connection: pg.PoolConfig): Promise<Catalogue> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    // Names are then printed without their schema.
    await client.query("set search_path = public");
    const lines = async (sql: string) => (await client.query<{ line: string }>(sql)).rows.map(({ line }) => line);
    const columns = (await client.query<CatalogueColumn & { table: string }>(columnsSql)).rows;
    const checks = (await client.query<{ table: string; column: string; definition: string }>(columnChecksSql)).rows;
    const constraints = (await client.query<Line>(constraintsSql)).rows;
    const statements = (await client.query<Line>(statementsSql)).rows;
    const partitioned = (await client.query<Line>(partitionedSql)).rows;
    const ofTable = (rows: Line[], table: string) => rows.filter((row) => row.table === table).map(({ line }) => line);
    return {
      version: Number((await client.query("show server_version_num")).rows[0].server_version_num),
      extensions: await lines(extensionsSql),
      sequences: await lines(sequencesSql),
      functions: await lines(functionsSql),
      tables: [...new Set(columns.map(({ table }) => table))].map((table) => ({
        name: table,
        columns: columns
          .filter((column) => column.table === table)
          .map(({ table: _, ...column }) => ({
            ...column,
            values: permittedValues(checks.filter((one) => one.table === table && one.column === column.name)),
          })),
        partitionKey: ofTable(partitioned, table)[0] ?? null,
        constraints: ofTable(constraints, table),
        statements: ofTable(statements, table),
      })),
      views: await lines(viewsSql),
    };
  } finally {
    await client.end();
  }
}

interface Line {
  table: string;
  line: string;
}

/** PostgreSQL prints `in ('a', 'b')` as `= ANY (ARRAY['a'::text, 'b'::text])`, and a single value as `= 'a'::text`. */
function permittedValues(checks: { definition: string }[]): string[] | null {
  for (const { definition } of checks) {
    const list = /^CHECK \(\(\w+ = (?:ANY \(ARRAY\[(.*)\]\)|('[^']*'::text))\)\)$/.exec(definition);
    const values = [...(list?.[1] ?? list?.[2] ?? "").matchAll(/'([^']*)'::text/g)].map((one) => one[1]!);
    if (values.length > 0) return values;
  }
  return null;
}

const fromExtension = (catalogue: string, oid: string) =>
  `exists (select from pg_depend d where d.classid = '${catalogue}'::regclass and d.objid = ${oid} and d.deptype = 'e')`;
const inPublic = (column: string) => `${column} = 'public'::regnamespace`;
// Partitions follow from their parent, and which exist depends on the day.
const isTable = `c.relkind in ('r', 'p') and not c.relispartition and ${inPublic("c.relnamespace")}`;

const extensionsSql = `
  select format('create extension %I;', extname) as line from pg_extension where extname <> 'plpgsql' order by extname`;

/** Rights of the two roles; rights of the owner are not listed, since its name depends on the installation. */
const rights = (acl: string) => `
  select a.grantee::regrole::text as role, string_agg(lower(a.privilege_type), ', ' order by a.privilege_type) as given
  from aclexplode(${acl}) a join pg_roles r on r.oid = a.grantee
  where r.rolname in ('arcada_app', 'arcada_system') group by a.grantee`;

const sequencesSql = `
  select concat_ws(E'\\n', format('create sequence %I start %s increment %s;', c.relname, s.seqstart, s.seqincrement),
    (select string_agg(format('grant %s on sequence %I to %s;', g.given, c.relname, g.role), E'\\n' order by g.role)
      from (${rights("c.relacl")}) g)) as line
  from pg_class c join pg_sequence s on s.seqrelid = c.oid
  where c.relkind = 'S' and ${inPublic("c.relnamespace")}
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'i')
  order by c.relname`;

const functionsSql = `
  select concat_ws(E'\\n', btrim(pg_get_functiondef(p.oid), E'\\n') || ';',
    case when pg_get_userbyid(p.proowner) like 'arcada\\_system'
      then format('alter function %s owner to arcada_system;', p.oid::regprocedure) end,
    case when p.proacl is not null and not exists (select from aclexplode(p.proacl) where grantee = 0)
      then format('revoke execute on function %s from public;', p.oid::regprocedure) end,
    (select string_agg(format('grant %s on function %s to %s;', g.given, p.oid::regprocedure, g.role), E'\\n' order by g.role)
      from (${rights("p.proacl")}) g where g.role <> pg_get_userbyid(p.proowner))) as line
  from pg_proc p where ${inPublic("p.pronamespace")} and not ${fromExtension("pg_proc", "p.oid")}
  order by p.proname, pg_get_function_identity_arguments(p.oid)`;

const columnsSql = `
  select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    case when a.attcollation <> t.typcollation then co.collname end as collation,
    not a.attnotnull as nullable, a.attidentity <> '' as identity,
    case when a.attgenerated = '' then pg_get_expr(ad.adbin, ad.adrelid) end as default,
    case when a.attgenerated <> '' then pg_get_expr(ad.adbin, ad.adrelid) end as generated
  from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
    left join pg_attrdef ad on ad.adrelid = a.attrelid and ad.adnum = a.attnum
    left join pg_collation co on co.oid = a.attcollation
  where ${isTable} and a.attnum > 0 and not a.attisdropped
  order by c.relname, a.attnum`;

const partitionedSql = `
  select c.relname as table, pg_get_partkeydef(c.oid) as line from pg_class c where ${isTable} and c.relkind = 'p'`;

const columnChecksSql = `
  select c.relname as table, a.attname as column, pg_get_constraintdef(k.oid) as definition
  from pg_constraint k join pg_class c on c.oid = k.conrelid
    join pg_attribute a on a.attrelid = c.oid and k.conkey = array[a.attnum]
  where ${isTable} and k.contype = 'c' order by k.conname`;

// PostgreSQL 18 keeps "not null" as a constraint, too; here it stands at the column.
const constraintsSql = `
  select c.relname as table, format('constraint %I %s', k.conname, pg_get_constraintdef(k.oid)) as line
  from pg_constraint k join pg_class c on c.oid = k.conrelid
  where ${isTable} and k.contype in ('p', 'u', 'f', 'c', 'x')
  order by c.relname, position(k.contype in 'puxfc'), k.conname`;

const statementsSql = `
  select "table", line from (
    select c.relname as table, 1 as kind, i.indexrelid::regclass::text as name, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') || ';' as line
    from pg_index i join pg_class c on c.oid = i.indrelid
    where ${isTable} and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
    union all
    select c.relname, 2, s.stxname, pg_get_statisticsobjdef(s.oid) || ';'
    from pg_statistic_ext s join pg_class c on c.oid = s.stxrelid where ${isTable}
    union all
    select c.relname, 3, '', format('alter table %I enable row level security;', c.relname)
    from pg_class c where ${isTable} and c.relrowsecurity
    union all
    select c.relname, 4, '', format('alter table %I force row level security;', c.relname)
    from pg_class c where ${isTable} and c.relforcerowsecurity
    union all
    select p.tablename, 5, p.policyname, format('create policy %I on %I for %s to %s%s%s;', p.policyname, p.tablename,
      lower(p.cmd), array_to_string(p.roles, ', '), ' using (' || p.qual || ')', ' with check (' || p.with_check || ')')
    from pg_policies p where p.schemaname = 'public'
    union all
    select c.relname, 6, g.role, format('grant %s on %I to %s;', g.given, c.relname, g.role)
    from pg_class c, lateral (${rights("c.relacl")}) g where ${isTable}
    union all
    select c.relname, 7, g.role || a.attnum, format('grant %s (%I) on %I to %s;', g.given, a.attname, c.relname, g.role)
    from pg_class c join pg_attribute a on a.attrelid = c.oid, lateral (${rights("a.attacl")}) g where ${isTable}
    union all
    select c.relname, 8, t.tgname, pg_get_triggerdef(t.oid) || ';'
    from pg_trigger t join pg_class c on c.oid = t.tgrelid where ${isTable} and not t.tgisinternal
  ) statements order by "table", kind, name collate "C"`;

const viewsSql = `
  select concat_ws(E'\\n', format('create view %I as', c.relname), pg_get_viewdef(c.oid),
    case when pg_get_userbyid(c.relowner) like 'arcada\\_system'
      then format('alter view %I owner to arcada_system;', c.relname) end,
    (select string_agg(format('grant %s on %I to %s;', g.given, c.relname, g.role), E'\\n' order by g.role)
      from (${rights("c.relacl")}) g where g.role <> pg_get_userbyid(c.relowner))) as line
  from pg_class c where c.relkind = 'v' and ${inPublic("c.relnamespace")} and not ${fromExtension("pg_class", "c.oid")}
  order by c.relname`;
