import { Badge } from "@mantine/core";
import { inboxCalls } from "@arcada/contract/study/inbox.calls";
import { useTexts } from "../kernel/texts.ts";
import { useCall } from "../kernel/use-call.ts";
import classes from "./sidebar.module.css";

/** How many studies wait for their patient; nothing where none does. */
export function InboxCount() {
  const t = useTexts("shell");
  const { data } = useCall(inboxCalls.inboxCount, {});
  if (!data?.count) return null;
  return (
    <Badge size="sm" circle={data.count < 10} className={classes.count} title={t("shell.inboxCount", data)}>
      {data.count > 99 ? "99+" : data.count}
    </Badge>
  );
}
