import { refuse } from "../../platform/http/refuse.ts";

type Json = Record<string, unknown>;
export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Elements that change the meaning of others: a server that does not know them must refuse the resource. */
const neverIgnored = ["modifierExtension", "implicitRules"];
/** Elements that the server sets, or that only repeat the others in words. */
const withoutContent = ["resourceType", "id", "meta", "text", "language"];
const maxNamed = 20;

/**
 * Reads a resource that was sent, and remembers every element that is not stored. Those are refused by their names, or
 * left out if the sender is lenient.
 */
export class BodyReader {
  private readonly type: string;
  private readonly body: Json;
  private readonly isLenient: boolean;
  private readonly unsupported: string[] = [];

  constructor(type: string, body: Json, isLenient: boolean) {
    this.type = type;
    this.body = body;
    this.isLenient = isLenient;
    if (body.resourceType !== type) refuse("badInput", { resourceType: "invalid" });
  }

  /** Names the elements that are read; every other one with content is not supported. */
  allow(...names: string[]): void {
    const known = [...names, ...withoutContent];
    for (const name of Object.keys(this.body)) if (!known.includes(name)) this.reject(name);
  }

  /** Remembers an element, or a part of it, that is not stored. */
  reject(place: string): void {
    const last = place.split(".").at(-1) ?? "";
    if (neverIgnored.includes(last)) refuse("badInput", { [`${this.type}.${place.slice(0, 80)}`]: "notSupported" });
    this.unsupported.push(`${this.type}.${place.slice(0, 80)}`);
  }

  /** Refuses an element whose value cannot be understood. */
  fail(place: string, reason = "invalid"): never {
    return refuse("badInput", { [`${this.type}.${place}`]: reason });
  }

  /** Returns a text of the body; undefined for a missing one. */
  text(name: string): string | undefined {
    return this.textOf(this.body[name], name);
  }
  textOf(value: unknown, place: string): string | undefined {
    if (value === undefined) return undefined;
    return typeof value === "string" ? value : this.fail(place);
  }

  object(name: string): Json | undefined {
    const value = this.body[name];
    if (value === undefined) return undefined;
    return isObject(value) ? value : this.fail(name);
  }

  /** Returns a list of objects; an empty list for a missing one. */
  list(name: string, most = 200): Json[] {
    return this.listOf(this.body[name], name, most);
  }
  listOf(value: unknown, place: string, most = 200): Json[] {
    if (value === undefined) return [];
    if (!Array.isArray(value) || !value.every(isObject)) return this.fail(place);
    return value.length <= most ? value : this.fail(place, "tooMany");
  }

  /** Rejects the parts of an element that are not read. */
  allowIn(element: Json, place: string, names: readonly string[]): void {
    for (const name of Object.keys(element))
      if (!names.includes(name) && name !== "id") this.reject(`${place}.${name}`);
  }

  /** Returns the elements that are left out; refuses if the sender did not say that they may be. */
  finish(): string[] {
    const named = [...new Set(this.unsupported)].slice(0, maxNamed);
    if (named.length > 0 && !this.isLenient)
      refuse("badInput", Object.fromEntries(named.map((place) => [place, "notSupported"])));
    return named;
  }
}

/** Returns the id of a reference to a resource of this server; undefined for one of another type or place. */
export function readReferenceId(reader: BodyReader, element: Json, place: string, type: string): string | undefined {
  reader.allowIn(element, place, ["reference", "type", "display", "identifier"]);
  const reference = reader.textOf(element.reference, `${place}.reference`);
  const [, found, id] =
    /^(?:https?:\/\/\S{1,500}\/)?([A-Za-z]{1,40})\/([A-Za-z0-9.-]{1,64})$/.exec(reference ?? "") ?? [];
  return found === type ? id : undefined;
}
