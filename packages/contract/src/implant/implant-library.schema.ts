import { z } from "zod";
import { limited, required } from "../kernel/fields.ts";

export const implantLibraryRules = {
  /** The version of the file format; a file of a later one is refused. */
  formatVersion: 1,
  maxFileBytes: 512_000,
  maxLibraries: 20,
  maxSystems: 200,
  maxImplants: 100,
  maxLengths: 30,
  maxSleeves: 20,
  maxAngles: 12,
  maxName: 60,
  /** mm; the longest are zygomatic implants. */
  diameter: [1.5, 10],
  length: [3, 60],
  /** Degrees between implant and abutment. */
  angle: [0, 60],
} as const;

const within = ([min, max]: readonly [number, number]) => z.number().min(min).max(max);
const name = required(implantLibraryRules.maxName);

/** A hollow cylinder around the axis of the drill, above the implant; mm. */
const drillSleeve = z
  .object({
    name,
    inner: within([1, 15]),
    outer: within([1.5, 20]),
    height: within([1, 20]),
    /** From the implant's shoulder to the sleeve's lower end, along the axis. */
    offsets: z
      .array(within([0, 30]))
      .min(1)
      .max(12),
  })
  .refine(({ inner, outer }) => inner < outer, { path: ["outer"], error: "sleeveWall" });
export type DrillSleeve = z.output<typeof drillSleeve>;

const implantSizes = z.object({
  /** The connection as the maker prints it; null for a line that has only one. */
  connection: name.nullable(),
  /** mm; null where the file states no sizes: they are typed. */
  diameter: within(implantLibraryRules.diameter).nullable(),
  /** The diameter at the tip, mm; absent: by the line's shape. */
  tip: within([0.5, 10]).optional(),
  lengths: z.array(within(implantLibraryRules.length)).max(implantLibraryRules.maxLengths),
});

const implantSystem = z.object({
  maker: name,
  line: name,
  /** The generic body that is drawn: nobody's geometry is copied. */
  shape: z.enum(["cylinder", "cone"]),
  implants: z.array(implantSizes).min(1).max(implantLibraryRules.maxImplants),
  abutmentAngles: z.array(within(implantLibraryRules.angle)).max(implantLibraryRules.maxAngles).default([]),
  sleeves: z.array(drillSleeve).max(implantLibraryRules.maxSleeves).default([]),
});
export type ImplantSystem = z.output<typeof implantSystem>;

/** The open file format of implant libraries: docs/implant-library.md. */
export const implantLibrary = z
  .object({
    format: z.literal("arcada-implant-library"),
    version: z.literal(implantLibraryRules.formatVersion),
    name,
    /** The origin of the sizes, in the words of the person who made the file. */
    source: limited(300).default(""),
    systems: z.array(implantSystem).min(1).max(implantLibraryRules.maxSystems),
  })
  .superRefine(({ systems }, context) => {
    const seen = new Set<string>();
    for (const [at, { maker, line }] of systems.entries()) {
      const key = `${maker} ${line}`.toLowerCase();
      if (seen.has(key)) context.addIssue({ code: "custom", path: ["systems", at, "line"], message: "systemTwice" });
      seen.add(key);
    }
  });
export type ImplantLibrary = z.output<typeof implantLibrary>;

/** "Straumann BLX RB": a name that prescriptions and plans store as text. */
export const formatSystemName = ({ maker, line }: Pick<ImplantSystem, "maker" | "line">, connection: string | null) =>
  [...new Set([maker, line, connection])].filter(Boolean).join(" ");

/** One line of a system with one connection, as a person chooses it. */
export interface SystemChoice {
  name: string;
  /** The name of its library. */
  library: string;
  system: ImplantSystem;
  /** The sizes with this connection; empty where the file states none. */
  sizes: { diameter: number; tip: number | undefined; lengths: readonly number[] }[];
}

/** Returns every system of the libraries by its name; a name that occurs twice belongs to the first library. */
export function listSystemChoices(libraries: readonly ImplantLibrary[]): SystemChoice[] {
  const choices = new Map<string, SystemChoice>();
  for (const library of libraries)
    for (const system of library.systems)
      for (const connection of new Set(system.implants.map((one) => one.connection))) {
        const systemName = formatSystemName(system, connection);
        if (!choices.has(systemName))
          choices.set(systemName, {
            name: systemName,
            library: library.name,
            system,
            sizes: system.implants
              .filter((one) => one.connection === connection)
              .flatMap(({ diameter, tip, lengths }) => (diameter === null ? [] : [{ diameter, tip, lengths }])),
          });
      }
  return [...choices.values()];
}
