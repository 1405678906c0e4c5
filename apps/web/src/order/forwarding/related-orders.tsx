import { Alert, Button, Stack, Text } from "@mantine/core";
import { IconArrowForwardUp } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Order } from "@arcada/contract/order/order.calls";
import { ScreenLink } from "../../browser/navigation.tsx";
import { useTexts } from "../../i18n/texts.ts";
import classes from "./related-orders.module.css";
import pageClasses from "../detail/order-detail.module.css";
import { useOrderTransition } from "../actions/use-order-transition.ts";

type RelatedOrder = NonNullable<Order["family"]["parent"]>;

/** Related orders: the source order, the forwarded order, and remakes. */
export function RelatedOrders({ order }: { order: Order }) {
  const t = useTexts("order", "forward");
  const { parent, child, remakeOf, remakes, copies } = order.family;
  const lines: [string, ReactNode][] = [
    ...(parent ? [["parent", t("forward.parent"), parent] as const] : []),
    ...(child?.order ? [["child", describeChild(t, child), child.order] as const] : []),
    ...(remakeOf ? [["of", describeRemake(t, "forward.remakeOf", remakeOf), remakeOf] as const] : []),
    ...remakes.map((one) => [one.id, describeRemake(t, "forward.remadeBy", one), one] as const),
  ].map(([key, description, related]) => [
    key,
    <RelatedOrderLine key={key} description={description} related={related} />,
  ]);
  const isOutsourced = child && !child.order && child.labName && order.state !== "draft";
  return (
    <>
      {order.family.delivered && order.actions.includes("submitDesign") && <DeliveredDesign order={order} />}
      {(lines.length > 0 || copies > 0 || isOutsourced) && (
        <ul className={classes.kin}>
          {lines.map(([, line]) => line)}
          {isOutsourced && <li>{t("forward.madeBy", { name: child.labName })}</li>}
          {copies > 0 && <li>{t("forward.copies", { count: copies })}</li>}
        </ul>
      )}
    </>
  );
}

type Translate = ReturnType<typeof useTexts>;
const describeChild = (t: Translate, { labName, straight }: NonNullable<Order["family"]["child"]>): string =>
  t(straight ? "forward.childStraight" : "forward.child", { name: labName ?? "" });
const describeRemake = (
  t: Translate,
  key: "forward.remakeOf" | "forward.remadeBy",
  { class: fault, bears }: Order["family"]["remakes"][number],
): string => t(key, { fault: t(`forward.class.${fault}`), bears: t(`forward.bears.${bears}`) });

function RelatedOrderLine({ description, related }: { description: string; related: RelatedOrder }) {
  const t = useTexts("order");
  return (
    <li>
      {description}{" "}
      <ScreenLink screen="orderDetail" search={{ id: related.id }} className={pageClasses.link}>
        {related.number}
      </ScreenLink>{" "}
      <Text span size="xs" c="dimmed">
        {t(`order.state.${related.state}`)}
      </Text>
    </li>
  );
}

/** Passes the other lab's design to the sender with one click, without another upload. */
function DeliveredDesign({ order }: { order: Order }) {
  const t = useTexts("order", "forward");
  const transition = useOrderTransition(order, "submitDesign", () => {});
  return (
    <Alert icon={<IconArrowForwardUp aria-hidden />} title={t("forward.delivered")} color="teal">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{t("forward.deliveredText", { name: order.family.child?.labName ?? "" })}</Text>
        <Button size="sm" loading={transition.busy} onClick={() => void transition.run({ delivered: true })}>
          {t("forward.deliveredSubmit")}
        </Button>
        {transition.problem && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {transition.problem}
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
