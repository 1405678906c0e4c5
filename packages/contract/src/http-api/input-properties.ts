import { z } from "zod";

/** One property of a call's input, with the schema of its value. */
export interface InputProperty {
  path: readonly string[];
  schema: z.core.$ZodType;
  /** False for a property whose value has properties of its own. */
  isLeaf: boolean;
}

/**
 * Returns the properties of an input schema, nested ones after their parent. Array items, values of records and the
 * alternatives of a union add nothing to a path, so that a path may occur several times.
 */
export const listInputProperties = (schema: z.core.$ZodType, path: readonly string[] = []): InputProperty[] =>
  listChildren(schema).flatMap(({ name, child }) => {
    if (name === null) return listInputProperties(child, path);
    const ownPath = [...path, name];
    const nested = listInputProperties(child, ownPath);
    return [{ path: ownPath, schema: child, isLeaf: nested.length === 0 }, ...nested];
  });

/** A schema inside another one; `name` is null if it adds nothing to the path. */
interface Child {
  name: string | null;
  child: z.core.$ZodType;
}
const unnamed = (...schemas: readonly z.core.$ZodType[]): Child[] => schemas.map((child) => ({ name: null, child }));

function listChildren(schema: z.core.$ZodType): Child[] {
  if (schema instanceof z.ZodObject)
    return Object.entries<z.core.$ZodType>(schema.shape).map(([name, child]) => ({ name, child }));
  if (schema instanceof z.ZodArray) return unnamed(schema.element);
  if (schema instanceof z.ZodUnion) return unnamed(...schema.options);
  if (schema instanceof z.ZodRecord) return unnamed(schema.valueType);
  if (schema instanceof z.ZodTuple) return unnamed(...schema.def.items);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unnamed(schema.def.innerType);
  // A preprocessed value is described by what follows; any other pipe by what goes in.
  if (schema instanceof z.ZodPipe)
    return unnamed(schema.def.in instanceof z.ZodTransform ? schema.def.out : schema.def.in);
  return [];
}
