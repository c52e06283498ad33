import { Empty } from "../../parts/states.tsx";

export function View() {
  return <Empty title="To come" />;
}
