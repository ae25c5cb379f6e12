import { resolve } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";
import { shared } from "./vite.config.ts";

/** One file with everything in it; Python puts the data of a report into it. */
export default defineConfig({
  ...shared,
  plugins: [react(), viteSingleFile()],
  publicDir: false,
  build: {
    outDir: resolve(import.meta.dirname, "../src/whet/static/report"),
    emptyOutDir: true,
    rolldownOptions: { input: resolve(import.meta.dirname, "report.html") },
  },
});
