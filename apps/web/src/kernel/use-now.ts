import { useEffect, useState } from "react";

/** The time, told anew again and again, for words such as "3 minutes ago" that stay on the page. */
export function useNow(everyMs = 20_000): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const tell = () => setNow(new Date());
    const timer = setInterval(tell, everyMs);
    // A tab in the background is told late; it is right when somebody looks.
    document.addEventListener("visibilitychange", tell);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tell);
    };
  }, [everyMs]);
  return now;
}
