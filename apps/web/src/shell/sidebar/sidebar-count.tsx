import { Badge } from "@mantine/core";
import classes from "./sidebar.module.css";

/** The number of waiting items behind a sidebar entry; `title` describes them. */
export function SidebarCount({ count, title }: { count: number; title: string }) {
  return (
    <Badge size="sm" circle={count < 10} className={classes.count} title={title}>
      {count > 99 ? "99+" : count}
    </Badge>
  );
}
