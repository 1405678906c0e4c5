type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

type PickedColumns<Row, Column extends keyof Row & string> = {
  [Name in Column as CamelCase<Name>]: Row[Name];
};

/** Returns columns of a row under their names in TypeScript and on the wire: `serial_number` becomes `serialNumber`. */
export function pickColumns<Row extends object, Column extends keyof Row & string>(
  row: Row,
  ...columns: readonly Column[]
): PickedColumns<Row, Column> {
  // A list picks columns of every row, where a loop takes a third of the time of Object.fromEntries.
  const picked: Record<string, unknown> = {};
  for (const name of columns) picked[toCamelCase(name)] = row[name];
  return picked as PickedColumns<Row, Column>;
}

const camelCaseNames = new Map<string, string>();
function toCamelCase(name: string): string {
  let renamed = camelCaseNames.get(name);
  if (renamed === undefined) {
    renamed = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    camelCaseNames.set(name, renamed);
  }
  return renamed;
}
