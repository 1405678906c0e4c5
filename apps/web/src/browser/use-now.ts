import { useEffect, useState } from "react";

/** The current time, updated regularly, for texts such as "3 minutes ago" that stay on the page. */
export function useNow(everyMs = 20_000): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const update = () => setNow(new Date());
    const timer = setInterval(update, everyMs);
    // A background tab is updated late; this makes it right as soon as it becomes visible.
    document.addEventListener("visibilitychange", update);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", update);
    };
  }, [everyMs]);
  return now;
}
