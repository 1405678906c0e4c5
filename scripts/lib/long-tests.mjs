/**
 * These attack or kill the product for half a minute and more, or need a registry. `npm test` leaves them to
 * `npm run proof`. Most paths that they prove have a shorter test besides.
 */
export const longProofs = [
  "odd-dicom",
  "overload",
  "kill-bulk-export",
  "kill-hl7",
  "kill-ingest",
  "kill-intake",
  "kill-questions",
  "postgres-upgrade",
  "prometheus-and-alerts",
  "installation",
  "large-backup-under-kills",
  "restore-to-moment",
  "backup-bucket",
  "gateway-watched-folder",
  "lab-agent-exchange",
  "gateway-program",
  "nerve-canal-accuracy",
  "orthanc",
  "growth",
  "mean-head-fit",
  "backup",
  "backup-nightly",
  "hostile-imports",
  "admin-commands",
  "training-pipeline",
  "cbct-structures",
  "release-upgrades",
  "fairness-under-load",
  "startup-failures",
  "bundled-server",
];

/**
 * Tests of the server that take half a minute and have shorter ones beside them: of engine packs and their trials, of real
 * series, of the embedded database and the email queue, and races of which others stay in `npm test`.
 */
export const longServerTests = [
  "analysis/engines/engine.real",
  "analysis/engines/included-packs",
  "analysis/training/training-archive",
  "analysis/trial/pack-trial",
  "ingest/ingest.real",
  "ingest/s3-timeout",
  "member/member.race",
  "order/forwarding/forwarding.race",
  "platform/mail/email-queue",
  "platform/postgres/embedded-postgres",
  "relation/relation.race",
];

/** Journeys that take more than their share of the time of `npm test`; `npm run proof` runs them. */
export const longJourneys = [
  "stored-hostile-markup",
  "backup-health-page",
  "nerve-canal",
  "implant-plan",
  "hostile-files",
  "redirects-and-leaked-secrets",
  "photo-series",
  "scan-viewer",
  "integrations",
  "profile",
  "activation-cards",
  "quota",
  "phone-accounts",
  "institution-settings-and-export",
  "after-sales-devices",
  "relations",
  "forwarding",
  "account-messages",
  "clinic-time-zone",
  "clear-list-filters",
  "order-collaboration",
  "error-recovery",
  "shares",
];

/** Journeys of which `npm test` runs a shorter form, or none, if `CI` is set; `npm run proof` runs the full one. */
export const shortenedJourneys = [
  "airway",
  "every-screen",
  "inbox",
  "journey-generated",
  "journey-real",
  "upload",
  "viewers",
];

/**
 * Proofs under a common name: `npm run proof -- scale` runs those of many organisations, processes and rows, with their
 * figures in the output.
 */
export const proofGroups = {
  scale: [
    // Any number of web processes without a shared disk.
    "proofs/uploads-without-shared-disk",
    "proofs/multiple-processes",
    "http/direct-downloads",
    // The database behind a pooler, with a replica, through failover, and growing.
    "database/pooler",
    "database/database.test",
    "database/read-replica",
    "database/partitions",
    "proofs/failover",
    "proofs/growth",
    "proofs/organisation-distribution",
    // Fairness among organisations.
    "proofs/fairness.test",
    "proofs/fairness-under-load",
    // Streams, slow clients and outages.
    "proofs/live-events",
    "proofs/overload",
    "proofs/outages",
  ],
};
