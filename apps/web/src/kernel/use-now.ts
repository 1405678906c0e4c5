import { useEffect, useState } from "react";

/** The current time, updated regularly, for texts such as "3 minutes ago" that stay on the page. */
export function useNow(everyMs = 20_000): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const tell = () => setNow(new Date());
    const timer = setInterval(tell, everyMs);
    // A background tab is updated late; this makes it right as soon as it becomes visible.
    document.addEventListener("visibilitychange", tell);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tell);
    };
  }, [everyMs]);
  return now;
}
