import { useEffect, useRef } from "react";
import type { RefObject } from "react";
import type { Order } from "@arcada/contract/order/order.calls";
import { talkCalls } from "@arcada/contract/order/talk.calls";
import { send } from "../../kernel/ask.ts";

/** Reports the newest message of the other side as read, once its end has been visible on an active page. */
export function useReading(order: Order, end: RefObject<Element | null>): void {
  const newest = order.messages.findLast(({ mine }) => !mine);
  const known = order.readings.find(({ self }) => self)?.upTo ?? "";
  const wanted = newest && newest.time > known ? newest.id : null;
  const told = useRef<string | null>(null);
  useEffect(() => {
    if (!wanted || !end.current) return;
    let isInSight = false;
    const tell = () => {
      if (!isInSight || document.visibilityState !== "visible" || told.current === wanted) return;
      told.current = wanted;
      // A lost report is repeated at the next view, so no error is shown.
      send(talkCalls.read, { id: order.id, message: wanted }).catch(() => (told.current = null));
    };
    const watch = new IntersectionObserver(([entry]) => {
      isInSight = entry?.isIntersecting ?? false;
      tell();
    });
    watch.observe(end.current);
    document.addEventListener("visibilitychange", tell);
    return () => {
      watch.disconnect();
      document.removeEventListener("visibilitychange", tell);
    };
  }, [wanted, end, order.id]);
}
