import { Alert } from "@mantine/core";
import { IconAlertTriangle, IconInfoCircle } from "@tabler/icons-react";

/** An error message of a form that belongs to no single field. */
export function FormError({ text, kind = "problem" }: { text: string | undefined; kind?: "problem" | "info" }) {
  if (!text) return null;
  return (
    <Alert
      variant="light"
      color={kind === "problem" ? "red" : "brand"}
      role="alert"
      icon={kind === "problem" ? <IconAlertTriangle size={18} /> : <IconInfoCircle size={18} />}
    >
      {text}
    </Alert>
  );
}
