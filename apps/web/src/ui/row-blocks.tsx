import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";

interface Props<T> {
  rows: readonly T[];
  show: (row: T, place: number) => ReactNode;
}

/** The rows of a long table. Blocks far outside the viewport are replaced by an empty row of their height. */
export function RowBlocks<T>({ rows, show }: Props<T>) {
  const blocks = Array.from({ length: Math.max(1, Math.ceil(rows.length / atOnce)) }, (_, at) => at * atOnce);
  return blocks.map((from) => (
    <Block key={from}>{() => rows.slice(from, from + atOnce).map((row, at) => show(row, from + at))}</Block>
  ));
}

const atOnce = 50;
/** The margin within which rows are rendered: more than a key or a turn of the wheel brings into view. */
const near = "1500px 0px";

function Block({ children }: { children: () => ReactNode }) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [height, setHeight] = useState<number | null>(null);
  useEffect(() => {
    const element = body.current;
    if (!element) return;
    const watch = new IntersectionObserver(
      ([seen]) => {
        const isNear = seen?.isIntersecting === true;
        // The block that contains the focus stays rendered.
        if (isNear || element.contains(document.activeElement)) setHeight(null);
        else setHeight((known) => known ?? element.offsetHeight);
      },
      { rootMargin: near },
    );
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return <tbody ref={body}>{height === null ? children() : <tr aria-hidden style={{ height }} />}</tbody>;
}
