import type { FastifyInstance } from "fastify";
import type { AuditChain } from "../audit/audit-chain.ts";
import type { Database } from "../database/database.ts";
import type { Subscriber } from "../events/events.ts";
import type { ArchiveKind, OpenArchive } from "../http/zip-archive-routes.ts";
import type { DocumentKind, OpenDocument } from "../http/pdf-routes.ts";
import type { Route, Serving } from "../http/serve-calls.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { FindValidHolders, HolderGuard, ValidHolder } from "../live/address-holders.ts";
import type { RepeatedTask } from "../jobs/repeated-tasks.ts";
import type { Gauge, GaugeServices } from "../telemetry/gauges.ts";
import type { Tables } from "../../tables/schema.generated.ts";
import type { AdminCommand } from "./admin-command.ts";
import type { Config } from "./config.ts";
import type { SearchSource } from "./search-source.ts";

/** The services with which a slice answers requests. `readers` checks the holders of links to files. */
export interface EndpointServices extends Serving {
  readers: HolderGuard;
}

/** The services with which a slice works without requests. */
export interface JobServices {
  config: Config;
  database: Database;
  jobs: Jobs;
  chain: AuditChain;
}

export type TableName = keyof Tables;

/** A period after which some data are deleted: a row of docs/compliance/retention.md. */
export interface RetentionRule {
  data: string;
  tables: readonly TableName[];
  period: string;
  /** The event from which the period counts. */
  from: string;
  /** The source file that deletes the data. */
  enforcedIn: string;
}

/** Everything by which a slice takes part in the server. The list of all slices is the whole server. */
export interface Slice {
  /** The name of its folder. */
  name: string;
  /** The tables that belong to it, and that no other slice writes to: those call a function of its `.writes.ts`. */
  tables?: readonly TableName[];
  /** Tables of others that its queries read. A test compares these lists with the source. */
  reads?: readonly TableName[];
  /** Its data that are deleted after a time. The values come from the rules that delete them. */
  retention?: readonly RetentionRule[];
  /** The contract's calls. */
  routes?: readonly Route[];
  /** The operator's commands on the machine itself. */
  adminCommands?: readonly AdminCommand[];
  /** Other HTTP endpoints: uploads, DICOMweb, FHIR. */
  serve?: (app: FastifyInstance, services: EndpointServices) => void | Promise<void>;
  /** Archives that are written while they are downloaded. */
  archives?: (database: Database) => { readonly [K in ArchiveKind]?: OpenArchive };
  /** PDF documents. */
  documents?: (database: Database) => { readonly [K in DocumentKind]?: OpenDocument };
  /** Records of its list that the search of the whole product finds as well. */
  search?: SearchSource;
  /** Returns those of the given holders of a link (sessions, keys, devices) that are still valid. */
  validHolders?: (database: Database) => FindValidHolders<ValidHolder>;
  /** Subscribers of domain events, in every process that may publish them. */
  subscribers?: (config: Config) => readonly Subscriber[];
  /** Registers the workers of its queues. */
  registerJobs?: (services: JobServices) => Promise<void>;
  /** Work that is repeated in every process that runs jobs. */
  tasks?: (services: JobServices) => readonly RepeatedTask[];
  /** Figures of the instance for the metrics, which every process can read. */
  gauges?: (services: GaugeServices) => readonly Gauge[];
  /** Starts what runs besides the queues until it is stopped. */
  startBackground?: (services: JobServices) => { stop(): Promise<void> };
}
