import { Checkbox, Radio, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { pageRules } from "@arcada/contract/kernel/fields";
import { memberCalls } from "@arcada/contract/member/member.calls";
import type { Order } from "@arcada/contract/order/order.calls";
import type { OrderAction } from "@arcada/contract/order/order.cycle";
import { showTime } from "../../kernel/format.ts";
import { useTexts } from "../../kernel/texts.ts";
import { useCall } from "../../kernel/use-call.ts";
import { today } from "../../kernel/zone.ts";
import { FileDrop } from "../../ui/file-drop.tsx";
import { AddedFiles } from "../added-files.tsx";
import type { Added } from "../added-files.tsx";
import { roleByName } from "../form/draft.ts";
import { asksOf, reasonsOf } from "./action-input.ts";
import type { Typed } from "./action-input.ts";
import { FaultFields } from "./fault-fields.tsx";
import { ProposalDiff } from "./proposal.tsx";
import classes from "./order-detail.module.css";
import { DayField } from "../../kernel/day-field.tsx";

interface FieldsProps {
  order: Order;
  action: OrderAction;
  typed: Typed;
  problems: Partial<Record<keyof Typed, string>>;
  onChange: (change: Partial<Typed>) => void;
  onBusy: (busy: boolean) => void;
}

/** The fields of an action, in the order of the life cycle. */
export function ActionFields(props: FieldsProps) {
  const asks = asksOf(props.action);
  return (
    <>
      {asks.includes("revision") && <Confirming {...props} />}
      {props.action === "decideChange" && <ProposalDiff order={props.order} />}
      {props.action === "supplyInfo" && <Quoted said={props.order.infoRequest} />}
      {asks.includes("decision") && <Decision {...props} />}
      {reasonsOf(props.action).length > 0 && <ReasonCode {...props} />}
      {props.action === "returnDesign" && <FaultFields {...props} />}
      {asks.includes("promise") && props.typed.approve !== false && <Promise {...props} />}
      {asks.includes("assignee") && <Assignee {...props} />}
      {asks.includes("shipment") && <Shipment {...props} />}
      {asks.includes("reason") && props.typed.approve !== true && <Words {...props} field="reason" words="reason" />}
      {asks.includes("text") && <Words {...props} field="text" words={textWords[props.action] ?? "text"} />}
      {(asks.includes("files") || asks.includes("modelFiles")) && <Files {...props} />}
    </>
  );
}

/** The message of the other side that this action answers. */
const Quoted = ({ said }: { said: string | null }) =>
  said && (
    <Text size="sm" className={classes.quoted!}>
      {said}
    </Text>
  );

const textWords: Partial<Record<OrderAction, string>> = { requestInfo: "question", supplyInfo: "answer" };

interface WordsProps extends FieldsProps {
  field: "reason" | "text";
  /** The key of the label under `ask`. */
  words: string;
}
function Words({ typed, problems, onChange, field, words }: WordsProps) {
  const t = useTexts("order");
  return (
    <Textarea
      label={t(`order.ask.${words}`)}
      data-autofocus
      autosize
      minRows={3}
      maxRows={10}
      maxLength={field === "reason" ? 2000 : 4000}
      value={typed[field]}
      onChange={(event) => onChange({ [field]: event.currentTarget.value })}
      error={problems[field] && t(`order.ask.${problems[field]}`)}
    />
  );
}

/** Names the revision that is confirmed, so that nobody confirms a revision that they have not seen. */
function Confirming({ order, typed }: FieldsProps) {
  const t = useTexts("order");
  const revision = order.revisions.find(({ hash }) => hash === typed.revisionHash);
  if (!revision) return null;
  const what = t(`order.detail.${revision.kind}Number`, { number: revision.number });
  return (
    <div>
      <Text size="sm">{t("order.ask.confirming", { what, time: showTime(revision.time), who: revision.who })}</Text>
      <Text size="xs" c="dimmed" className="arcada-figures">
        {t("order.detail.hash", { hash: revision.hash.slice(0, 12) })}
      </Text>
    </div>
  );
}

function ReasonCode({ action, typed, problems, onChange }: FieldsProps) {
  const t = useTexts("order", "forward");
  return (
    <Select
      label={t("forward.reasonCode")}
      placeholder={t("common.select")}
      data={reasonsOf(action).map((value) => ({ value, label: t(`forward.reason.${action}.${value}`) }))}
      value={typed.reasonCode}
      allowDeselect={false}
      onChange={(reasonCode) => onChange({ reasonCode })}
      error={problems.reasonCode && t(`order.ask.${problems.reasonCode}`)}
    />
  );
}

function Decision({ action, order, typed, problems, onChange }: FieldsProps) {
  const t = useTexts("order", "forward");
  return (
    <Stack gap="xs">
      {action === "decideCancel" && <Quoted said={order.cancelRequest} />}
      <Radio.Group
        label={t("order.ask.decision")}
        value={typed.approve === null ? null : String(typed.approve)}
        onChange={(value) => onChange({ approve: value === "true" })}
        error={problems.approve && t("common.select")}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="true" label={t(action === "decideChange" ? "forward.approve" : "order.ask.approve")} />
          <Radio value="false" label={t(action === "decideChange" ? "forward.decline" : "order.ask.decline")} />
        </Stack>
      </Radio.Group>
    </Stack>
  );
}

function Promise({ typed, problems, onChange }: FieldsProps) {
  const t = useTexts("order");
  return (
    <DayField
      label={t("order.ask.promisedDate")}
      min={today()}
      value={typed.promisedDate}
      onChange={(promisedDate) => onChange({ promisedDate })}
      error={problems.promisedDate && t(`order.ask.${problems.promisedDate}`)}
    />
  );
}

function Assignee({ typed, onChange }: FieldsProps) {
  const t = useTexts("order");
  const { data } = useCall(memberCalls.list, { page: 1, pageSize: pageRules.most });
  const members = data?.list ?? [];
  return (
    <Select
      label={t("order.ask.assignee")}
      data={members.map(({ userId, name }) => ({ value: userId ?? "", label: name }))}
      value={typed.assigneeId}
      allowDeselect={false}
      searchable={members.length > 8}
      onChange={(assigneeId) => onChange({ assigneeId })}
    />
  );
}

function Shipment({ typed, problems, onChange }: FieldsProps) {
  const t = useTexts("order");
  const problem = problems.carrier && t(`order.ask.${problems.carrier}`);
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          label={t("order.ask.carrier")}
          maxLength={80}
          data-autofocus
          disabled={typed.handDelivery}
          value={typed.carrier}
          onChange={(event) => onChange({ carrier: event.currentTarget.value })}
          error={problem}
        />
        <TextInput
          label={t("order.ask.trackingNumber")}
          maxLength={80}
          disabled={typed.handDelivery}
          value={typed.trackingNumber}
          onChange={(event) => onChange({ trackingNumber: event.currentTarget.value })}
          error={problem !== undefined && !typed.trackingNumber.trim()}
        />
      </SimpleGrid>
      <Checkbox
        label={t("order.ask.handDelivery")}
        checked={typed.handDelivery}
        onChange={(event) => onChange({ handDelivery: event.currentTarget.checked })}
      />
    </Stack>
  );
}

const answerRoles = ["answer", "upperScan", "lowerScan", "bite", "image", "photo", "document"] as const;
const roleFor = (action: OrderAction, name: string): Added["role"] => {
  if (action === "submitScheme") return "scheme";
  if (action === "submitDesign") return "design";
  if (action === "redeliver") return "photo";
  const guess = roleByName(name);
  return guess === "document" ? "answer" : guess;
};

function Files({ action, typed, problems, onChange, onBusy }: FieldsProps) {
  const t = useTexts("order");
  const label = asksOf(action).includes("modelFiles") ? "modelFiles" : "files";
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {t(`order.ask.${label}`)}
      </Text>
      <FileDrop
        onBusy={onBusy}
        onFinished={(added) =>
          onChange({
            files: [
              ...typed.files,
              ...added.map(({ id, name }) => ({ upload: id, name, role: roleFor(action, name) })),
            ],
          })
        }
      />
      <AddedFiles
        files={typed.files}
        {...(action === "supplyInfo" && { roles: answerRoles })}
        onChange={(files) => onChange({ files })}
      />
      {problems.files && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {t(`order.ask.${problems.files}`)}
        </Text>
      )}
    </Stack>
  );
}
