/** The entry of a worker: one interpreter, one run. */
import { boot } from "./boot.ts";
import { serve } from "./serve.ts";

serve(self as unknown as DedicatedWorkerGlobalScope, boot);
