/** Returns the value; throws if there is none, so a test fails where the value was expected and not three lines later. */
export function present<T>(value: T, name = "value"): NonNullable<T> {
  if (value === null || value === undefined) throw new Error(`Expected the ${name} to be present, but it is ${value}.`);
  return value;
}
