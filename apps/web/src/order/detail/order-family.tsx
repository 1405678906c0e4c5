import { Alert, Button, Stack, Text } from "@mantine/core";
import { IconArrowForwardUp } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Order } from "@arcada/contract/order/order.calls";
import { ScreenLink } from "../../kernel/link.tsx";
import { useTexts } from "../../kernel/texts.ts";
import classes from "./forward.module.css";
import pageClasses from "./order-detail.module.css";
import { useStep } from "./use-step.ts";

type Kin = NonNullable<Order["family"]["parent"]>;

/** Related orders: the source order, the forwarded order, and remakes. */
export function OrderFamily({ order }: { order: Order }) {
  const t = useTexts("order", "forward");
  const { parent, child, remakeOf, remakes, copies } = order.family;
  const lines: [string, ReactNode][] = [
    ...(parent ? [["parent", t("forward.parent"), parent] as const] : []),
    ...(child?.order ? [["child", childWords(t, child), child.order] as const] : []),
    ...(remakeOf ? [["of", remakeWords(t, "forward.remakeOf", remakeOf), remakeOf] as const] : []),
    ...remakes.map((one) => [one.id, remakeWords(t, "forward.remadeBy", one), one] as const),
  ].map(([key, words, kin]) => [key, <KinLine key={key} words={words} kin={kin} />]);
  const isMadeElsewhere = child && !child.order && child.labName && order.state !== "draft";
  return (
    <>
      {order.family.delivered && order.actions.includes("submitDesign") && <Delivered order={order} />}
      {(lines.length > 0 || copies > 0 || isMadeElsewhere) && (
        <ul className={classes.kin}>
          {lines.map(([, line]) => line)}
          {isMadeElsewhere && <li>{t("forward.madeBy", { name: child.labName })}</li>}
          {copies > 0 && <li>{t("forward.copies", { count: copies })}</li>}
        </ul>
      )}
    </>
  );
}

type Say = ReturnType<typeof useTexts>;
const childWords = (t: Say, { labName, straight }: NonNullable<Order["family"]["child"]>): string =>
  t(straight ? "forward.childStraight" : "forward.child", { name: labName ?? "" });
const remakeWords = (t: Say, key: string, { class: fault, bears }: Order["family"]["remakes"][number]): string =>
  t(key, { fault: t(`forward.class.${fault}`), bears: t(`forward.bears.${bears}`) });

function KinLine({ words, kin }: { words: string; kin: Kin }) {
  const t = useTexts("order");
  return (
    <li>
      {words}{" "}
      <ScreenLink screen="orderDetail" search={{ id: kin.id }} className={pageClasses.link}>
        {kin.number}
      </ScreenLink>{" "}
      <Text span size="xs" c="dimmed">
        {t(`order.state.${kin.state}`)}
      </Text>
    </li>
  );
}

/** Passes the other lab's design to the sender with one click, without another upload. */
function Delivered({ order }: { order: Order }) {
  const t = useTexts("order", "forward");
  const step = useStep(order, "submitDesign", () => {});
  return (
    <Alert icon={<IconArrowForwardUp aria-hidden />} title={t("forward.delivered")} color="teal">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{t("forward.deliveredText", { name: order.family.child?.labName ?? "" })}</Text>
        <Button size="sm" loading={step.busy} onClick={() => void step.run({ delivered: true })}>
          {t("forward.deliveredSubmit")}
        </Button>
        {step.problem && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {step.problem}
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
