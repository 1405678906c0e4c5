// Asks a running container whether it is ready. A role without a port of its own is healthy as long as it runs: the
// container ends with its process.
const { ARCADA_ROLE: role = "all", PORT: port = "8080", HEALTH_PORT: healthPort } = process.env;
const answersRequests = role === "all" || role === "web";
const asked = healthPort ?? (answersRequests ? port : null);

if (asked !== null) {
  const response = await fetch(`http://127.0.0.1:${asked}/readyz`, { signal: AbortSignal.timeout(4000) }).catch(
    () => null,
  );
  process.exitCode = response?.ok ? 0 : 1;
}
