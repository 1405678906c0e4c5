import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, instant, emptyObject } from "../kernel/fields.ts";
import { workorderStates } from "../workorder/workorder.lifecycle.ts";
import { workorderTypes } from "../workorder/workorder.rules.ts";
import { ageBands } from "./clinic.rules.ts";

/** Hours from the making of a work order to its acceptance; null where none was finished. */
const durationFigures = { count: z.int(), median: z.number().nullable(), p90: z.number().nullable() };
export const serviceFigures = z.object({
  open: z.array(z.object({ state: z.enum(workorderStates), age: z.enum(ageBands), count: z.int() })),
  /** Figures of the work orders that were finished in the last twelve months. */
  finished: z.object({
    all: z.object(durationFigures),
    byType: z.array(z.object({ type: z.enum(workorderTypes), ...durationFigures })),
    /** Months as YYYY-MM (UTC), the oldest first. */
    byMonth: z.array(z.object({ month: z.string(), ...durationFigures })),
    byTypeAndMonth: z.array(z.object({ type: z.string(), month: z.string(), ...durationFigures })),
    /** The number of work orders that were reopened, and the total number of reopenings. */
    reworked: z.int(),
    reworks: z.int(),
  }),
  people: z.array(
    z.object({
      id,
      name: z.string(),
      open: z.int(),
      oldest: instant.nullable(),
      finished: z.int(),
      median: z.number().nullable(),
    }),
  ),
  devices: z.array(
    z.object({
      product: z.string(),
      softwareVersion: z.string().nullable(),
      unbound: z.int(),
      bound: z.int(),
      locked: z.int(),
    }),
  ),
});
export type ServiceFigures = z.output<typeof serviceFigures>;

const workCounts = { devices: z.int(), openWork: z.int(), oldest: instant.nullable() };
export const clinicMap = z.object({
  clinics: z.array(
    z.object({
      id,
      name: z.string(),
      country: z.string(),
      provinceName: z.string().nullable(),
      cityName: z.string().nullable(),
      longitude: z.number(),
      latitude: z.number(),
      ...workCounts,
    }),
  ),
  /** Clinics without coordinates, by where they are. */
  elsewhere: z.array(
    z.object({
      country: z.string(),
      province: z.string().nullable(),
      city: z.string().nullable(),
      provinceName: z.string().nullable(),
      cityName: z.string().nullable(),
      clinics: z.int(),
      ...workCounts,
    }),
  ),
});
export type ClinicMap = z.output<typeof clinicMap>;

const mapRoles = ["afterSalesAdmin", "operator"] as const;
export const serviceFigureCalls = {
  map: call({
    method: "GET",
    path: "/v1/clinic/map",
    access: mapRoles,
    summary:
      "The clinics with a place on the map, and the others by province and city, with their devices and open work orders.",
    input: emptyObject,
    output: clinicMap,
  }),
  figures: call({
    method: "GET",
    path: "/v1/clinic/figures",
    access: mapRoles,
    summary: "After-sales in figures: open work by state and age, time to finish, people, devices by version.",
    input: emptyObject,
    output: serviceFigures,
  }),
} as const;
