import { Checkbox, Radio, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { pageSizes } from "@arcada/contract/kernel/fields";
import { memberCalls } from "@arcada/contract/member/member.calls";
import type { Order } from "@arcada/contract/order/order.calls";
import type { OrderAction } from "@arcada/contract/order/order.lifecycle";
import { formatTimestamp } from "../../i18n/format.ts";
import { formatReasonCode } from "../core/reason-code.ts";
import { useTexts } from "../../i18n/texts.ts";
import type { NameUnder } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import { getToday } from "../../i18n/time-zone.ts";
import { QueuedFileDrop, useUploadQueue } from "../../ui/upload/file-drop.tsx";
import { AttachedFiles } from "../core/attached-files.tsx";
import type { AttachedFile } from "../core/attached-files.tsx";
import { guessRole } from "../form/order-draft.ts";
import { getRequiredInputs, getReasonCodes } from "./action-input.ts";
import type { ActionInput, InputProblems } from "./action-input.ts";
import { FaultFields } from "./fault-fields.tsx";
import { ReturnedDesign } from "./returned-design.tsx";
import { ProposalDiff } from "../prescription/change-proposal.tsx";
import classes from "../detail/order-detail.module.css";
import { DayField } from "../../ui/form/day-field.tsx";

interface FieldsProps {
  order: Order;
  action: OrderAction;
  values: ActionInput;
  problems: InputProblems;
  onChange: (change: Partial<ActionInput>) => void;
  onBusy: (busy: boolean) => void;
}

/** The fields of an action, in the order of the life cycle. */
export function ActionFields(props: FieldsProps) {
  const requiredInputs = getRequiredInputs(props.action);
  return (
    <>
      {requiredInputs.includes("revision") && <ConfirmedRevision {...props} />}
      {props.action === "decideChange" && <ProposalDiff order={props.order} />}
      {props.action === "supplyInfo" && <QuotedText text={props.order.infoRequest} />}
      {requiredInputs.includes("decision") && <DecisionField {...props} />}
      {getReasonCodes(props.action).length > 0 && <ReasonCodeField {...props} />}
      {props.action === "returnDesign" && <FaultFields {...props} />}
      {requiredInputs.includes("promise") && props.values.approve !== false && <PromisedDateField {...props} />}
      {requiredInputs.includes("assignee") && <AssigneeField {...props} />}
      {requiredInputs.includes("shipment") && <ShipmentFields {...props} />}
      {requiredInputs.includes("reason") && props.values.approve !== true && (
        <TextField {...props} field="reason" labelKey="reason" />
      )}
      {requiredInputs.includes("text") && (
        <TextField {...props} field="text" labelKey={textLabelKeys[props.action] ?? "text"} />
      )}
      {(requiredInputs.includes("files") || requiredInputs.includes("modelFiles")) && <FilesField {...props} />}
    </>
  );
}

/** The message of the other side that this action answers. */
const QuotedText = ({ text }: { text: string | null }) =>
  text && (
    <Text size="sm" className={classes.quoted!}>
      {text}
    </Text>
  );

const textLabelKeys: Partial<Record<OrderAction, NameUnder<"order.ask">>> = {
  requestInfo: "question",
  supplyInfo: "answer",
};

interface TextFieldProps extends FieldsProps {
  field: "reason" | "text";
  /** The key of the label under `ask`. */
  labelKey: NameUnder<"order.ask">;
}
function TextField({ values, problems, onChange, field, labelKey }: TextFieldProps) {
  const t = useTexts("order");
  return (
    <Textarea
      label={t(`order.ask.${labelKey}`)}
      data-autofocus
      autosize
      minRows={3}
      maxRows={10}
      maxLength={field === "reason" ? 2000 : 4000}
      value={values[field]}
      onChange={(event) => onChange({ [field]: event.currentTarget.value })}
      error={problems[field] && t(`order.ask.${problems[field]}`)}
    />
  );
}

/** Names the revision that is confirmed, so that nobody confirms a revision that they have not seen. */
function ConfirmedRevision({ order, values }: FieldsProps) {
  const t = useTexts("order");
  const revision = order.revisions.find(({ hash }) => hash === values.revisionHash);
  if (!revision) return null;
  const what = t(`order.detail.${revision.kind}Number`, { number: revision.number });
  return (
    <Text size="sm">
      {t("order.ask.confirming", { what, time: formatTimestamp(revision.time), who: revision.who })}
    </Text>
  );
}

function ReasonCodeField({ action, values, problems, onChange }: FieldsProps) {
  const t = useTexts("order", "forward");
  return (
    <Select
      label={t("forward.reasonCode")}
      placeholder={t("common.select")}
      data={getReasonCodes(action).map((value) => ({ value, label: formatReasonCode(t, action, value) }))}
      value={values.reasonCode}
      allowDeselect={false}
      onChange={(reasonCode) => onChange({ reasonCode })}
      error={problems.reasonCode && t(`order.ask.${problems.reasonCode}`)}
    />
  );
}

function DecisionField({ action, order, values, problems, onChange }: FieldsProps) {
  const t = useTexts("order", "forward");
  return (
    <Stack gap="xs">
      {action === "decideCancel" && <QuotedText text={order.cancelRequest} />}
      <Radio.Group
        label={t("order.ask.decision")}
        value={values.approve === null ? null : String(values.approve)}
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

function PromisedDateField({ values, problems, onChange }: FieldsProps) {
  const t = useTexts("order");
  return (
    <DayField
      label={t("order.ask.promisedDate")}
      min={getToday()}
      value={values.promisedDate}
      onChange={(promisedDate) => onChange({ promisedDate })}
      error={problems.promisedDate && t(`order.ask.${problems.promisedDate}`)}
    />
  );
}

function AssigneeField({ values, onChange }: FieldsProps) {
  const t = useTexts("order");
  const { data } = useCall(memberCalls.list, { page: 1, pageSize: pageSizes.max });
  const members = data?.list ?? [];
  return (
    <Select
      label={t("order.ask.assignee")}
      data={members.map(({ userId, name }) => ({ value: userId ?? "", label: name }))}
      value={values.assigneeId}
      allowDeselect={false}
      searchable={members.length > 8}
      onChange={(assigneeId) => onChange({ assigneeId })}
    />
  );
}

function ShipmentFields({ values, problems, onChange }: FieldsProps) {
  const t = useTexts("order");
  const problem = problems.carrier && t(`order.ask.${problems.carrier}`);
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          label={t("order.ask.carrier")}
          maxLength={80}
          data-autofocus
          disabled={values.handDelivery}
          value={values.carrier}
          onChange={(event) => onChange({ carrier: event.currentTarget.value })}
          error={problem}
        />
        <TextInput
          label={t("order.ask.trackingNumber")}
          maxLength={80}
          disabled={values.handDelivery}
          value={values.trackingNumber}
          onChange={(event) => onChange({ trackingNumber: event.currentTarget.value })}
          error={problem !== undefined && !values.trackingNumber.trim()}
        />
      </SimpleGrid>
      <Checkbox
        label={t("order.ask.handDelivery")}
        checked={values.handDelivery}
        onChange={(event) => onChange({ handDelivery: event.currentTarget.checked })}
      />
    </Stack>
  );
}

const answerRoles = ["answer", "upperScan", "lowerScan", "bite", "image", "photo", "document"] as const;
const getUploadRole = (action: OrderAction, name: string): AttachedFile["role"] => {
  if (action === "submitScheme") return "scheme";
  if (action === "submitDesign") return "design";
  if (action === "redeliver") return "photo";
  const guess = guessRole(name);
  return guess === "document" ? "answer" : guess;
};

function FilesField({ action, values, problems, onChange, onBusy }: FieldsProps) {
  const t = useTexts("order");
  const label = getRequiredInputs(action).includes("modelFiles") ? "modelFiles" : "files";
  const [chosen, setChosen] = useState<File[]>([]);
  const queue = useUploadQueue((added) => {
    const files = added.map(({ id, name }) => ({ upload: id, name, role: getUploadRole(action, name) }));
    onChange({ files: [...values.files, ...files] });
  }, onBusy);
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {t(`order.ask.${label}`)}
      </Text>
      <QueuedFileDrop
        queue={queue}
        onChosen={(files) => {
          queue.add(files);
          setChosen((now) => [...now, ...files]);
        }}
      />
      <AttachedFiles
        files={values.files}
        {...(action === "supplyInfo" && { roles: answerRoles })}
        onChange={(files) => onChange({ files })}
      />
      {action === "submitDesign" && <ReturnedDesign files={chosen} />}
      {problems.files && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {t(`order.ask.${problems.files}`)}
        </Text>
      )}
    </Stack>
  );
}
