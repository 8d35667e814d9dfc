import { mountDeployment } from './deployment.ts';
import { cannotServe } from './runtime/worker/closed.ts';
import { ArchiveObject } from './runtime/worker/objects/archive-object.ts';
import type { ObjectBindings } from './runtime/worker/objects/calls.ts';
import { clinicObject } from './runtime/worker/objects/clinic-object.ts';
import { DirectoryObject } from './runtime/worker/objects/directory-object.ts';
import { createObjectsFront } from './runtime/worker/objects/front.ts';
import { SandboxObject } from './runtime/worker/objects/sandbox-object.ts';
import { assemble, openSandbox } from './service.ts';

/** The objects, by the names that wrangler.objects.toml gives them: each clinic's, those beside it, and that of the directory. */
export class Clinic extends clinicObject({ assemble, openSandbox }) {}
export class Archive extends ArchiveObject {}
export class Sandbox extends SandboxObject {}
export class Directory extends DirectoryObject {}

let front: ReturnType<typeof createObjectsFront> | undefined;

export default {
  async fetch(request: Request, bindings: ObjectBindings): Promise<Response> {
    try {
      front ??= createObjectsFront(bindings, mountDeployment);
    } catch (error) {
      return cannotServe(error, request, bindings);
    }
    return front(request, bindings);
  },
};
