import pg from "pg";

interface RowDescription {
  fields: readonly { name: string; dataTypeID: number }[];
}
interface Connection {
  describe: (what: object) => void;
}
/** The parts of node-postgres' query that are changed here. */
interface QueryParts {
  name: string;
  _result: {
    fields: RowDescription["fields"];
    _parsers: unknown;
    _prebuiltEmptyResultObject: object;
  };
  hasBeenParsed(connection: Connection): boolean;
  prepare(connection: Connection): void;
  handleRowDescription(description: RowDescription): void;
}
type QueryConstructor = new (
  text: string,
  values: unknown[],
  callback: (error: Error | null, result: pg.QueryResult) => void,
) => QueryParts;

interface KnownRows {
  description: RowDescription;
  parsers: unknown;
  emptyRow: object;
}
/** The rows of the statements that a connection has prepared, by their names. They stay the same: PostgreSQL refuses a changed plan. */
const knownRows = new WeakMap<Connection, Map<string, KnownRows>>();

/**
 * A prepared statement whose rows are described once for each connection. node-postgres has them described, and builds
 * an empty row from the description, for each execution: an order has sixty columns.
 */
class NamedQuery extends (pg.Query as unknown as QueryConstructor) {
  #known: Map<string, KnownRows> | undefined;

  override prepare(connection: Connection): void {
    const known = knownRows.get(connection) ?? new Map<string, KnownRows>();
    knownRows.set(connection, known);
    this.#known = known;
    const rows = known.get(this.name);
    if (!rows || !this.hasBeenParsed(connection)) return super.prepare(connection);
    super.prepare(Object.create(connection, { describe: { value: () => {} } }) as Connection);
    this.handleRowDescription(rows.description);
  }

  override handleRowDescription(description: RowDescription): void {
    const rows = this.#known?.get(this.name);
    if (rows?.description !== description) {
      super.handleRowDescription(description);
      this.#known?.set(this.name, this.#describe(description));
      return;
    }
    super.handleRowDescription({ fields: [] });
    const result = this._result;
    result.fields = description.fields;
    result._parsers = rows.parsers;
    result._prebuiltEmptyResultObject = rows.emptyRow;
  }

  #describe(description: RowDescription): KnownRows {
    const names = description.fields.map(({ name }) => [name, null]);
    // An object that is built property by property becomes a dictionary, whose copies are slow.
    const emptyRow = JSON.parse(JSON.stringify(Object.fromEntries(names))) as object;
    return { description, parsers: this._result._parsers, emptyRow };
  }
}

/** Sends a prepared statement by its name. */
export const sendNamed = (
  client: pg.ClientBase,
  { name, text, values }: { name: string; text: string; values: unknown[] },
): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) => {
    const query = new NamedQuery(text, values, (error, result) => (error ? reject(error) : resolve(result)));
    query.name = name;
    client.query(query as unknown as pg.Query);
  });
