import { useEffect, useRef } from "react";
import type { RefObject } from "react";
import type { Order } from "@arcada/contract/order/order.calls";
import { messageCalls } from "@arcada/contract/order/messages.calls";
import { send } from "../../data/ask.ts";

/** Reports the newest message of the other side as read, once its end has been visible on an active page. */
export function useReadReceipt(order: Order, end: RefObject<Element | null>): void {
  const newest = order.messages.findLast(({ mine }) => !mine);
  const known = order.readings.find(({ self }) => self)?.upTo ?? "";
  const wanted = newest && newest.time > known ? newest.id : null;
  const reported = useRef<string | null>(null);
  useEffect(() => {
    if (!wanted || !end.current) return;
    let isVisible = false;
    const report = () => {
      if (!isVisible || document.visibilityState !== "visible" || reported.current === wanted) return;
      reported.current = wanted;
      // A lost report is repeated at the next view, so no error is shown.
      send(messageCalls.read, { id: order.id, message: wanted }).catch(() => (reported.current = null));
    };
    const observer = new IntersectionObserver(([entry]) => {
      isVisible = entry?.isIntersecting ?? false;
      report();
    });
    observer.observe(end.current);
    document.addEventListener("visibilitychange", report);
    return () => {
      observer.disconnect();
      document.removeEventListener("visibilitychange", report);
    };
  }, [wanted, end, order.id]);
}
