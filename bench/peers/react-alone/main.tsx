import { createRoot } from "react-dom/client";

createRoot(document.getElementById("root")!).render(
  <form>
    <input name="account" />
    <input name="password" type="password" />
    <button type="submit">→</button>
  </form>,
);
