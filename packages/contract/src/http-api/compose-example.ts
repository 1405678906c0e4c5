import { z } from "zod";
import { findPropertyWords } from "./find-property-words.ts";
import type { Json } from "./property-words.ts";

/**
 * The properties that an example contains: all; or those that have to be there, but all where the call requires one of
 * several.
 */
export type ExampleExtent = "all" | "required";

/**
 * Returns an example of a call's input, composed of the examples of its properties; undefined for an input without any.
 * Of a union it takes the first alternative that accepts its own example.
 */
export function composeExample(callName: string, schema: z.core.$ZodType, extent: ExampleExtent): Json | undefined {
  const compose = (of: ExampleExtent) => composeValue(schema, { callName, extent: of, path: [] });
  const isAccepted = (example: Json | undefined) => example === undefined || z.safeParse(schema, example).success;
  const all = compose("all");
  return [compose(extent), all, ...leaveOutOne(all)].find(isAccepted) ?? all;
}

/** Returns the example without one property each: of properties that exclude each other, one has to go. */
function leaveOutOne(example: Json | undefined): Json[] {
  if (example === undefined || example === null || typeof example !== "object" || Array.isArray(example)) return [];
  const entries = Object.entries(example);
  return entries.map((_, left) => Object.fromEntries(entries.filter((__, at) => at !== left)));
}

interface Place {
  callName: string;
  extent: ExampleExtent;
  path: readonly string[];
}

function composeValue(schema: z.core.$ZodType, place: Place): Json | undefined {
  const words = place.path.length > 0 ? findPropertyWords(place.callName, place.path) : undefined;
  if (words?.example !== undefined) return words.example;
  if (schema instanceof z.ZodObject) return composeObject(schema.shape, place);
  if (schema instanceof z.ZodArray) return listOf(composeValue(schema.element, place));
  if (schema instanceof z.ZodUnion) return composeAlternative(schema.options, place);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return composeValue(schema.def.innerType, place);
  return undefined;
}

const listOf = (value: Json | undefined): Json | undefined => (value === undefined ? undefined : [value]);

const composeAlternative = (options: readonly z.core.$ZodType[], place: Place): Json | undefined =>
  options
    .map((option) => ({ option, value: composeValue(option, place) }))
    .find(({ option, value }) => z.safeParse(option, value).success)?.value;

function composeObject(shape: Readonly<Record<string, z.core.$ZodType>>, place: Place): Json | undefined {
  const entries = Object.entries(shape).flatMap(([name, child]) => {
    if (place.extent === "required" && isOptional(child)) return [];
    const value = composeValue(child, { ...place, path: [...place.path, name] });
    return value === undefined ? [] : [[name, value] as const];
  });
  return entries.length === 0 && Object.keys(shape).length === 0 ? undefined : Object.fromEntries(entries);
}

const isOptional = (schema: z.core.$ZodType): boolean => z.safeParse(schema, undefined).success;
