import { defineConfig } from "vitest/config";
import { shared } from "./vite.config.ts";

export default defineConfig({
  ...shared,
  test: { environment: "happy-dom", isolate: false, include: ["src/**/*.test.{ts,tsx}"] },
});
