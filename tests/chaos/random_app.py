"""A random app of actors, and the run options for it."""

import json

POLICIES = ("REPLICA", "ROLE", "APPLICATION")
# Ends of an attempt, as actor.cpp reads them: an exit code, a signal, or `hang` until it is killed.
ENDS = ("0",) * 6 + ("1", "7", "255", "s6", "s9", "s11", "hang", "hang")


class RandomApp:
    def __init__(self, rng, actor, account_dir):
        grace_s = rng.choice((0.05, 0.2, 0.5))
        self.roles = [self._role(rng, f"r{i}", actor, account_dir) for i in range(rng.choice((1, 1, 2, 3)))]
        if len(self.roles) > 1 and rng.random() < 0.4:
            rng.choice(self.roles)["service"] = True
        if rng.random() < 0.3:
            first_port = rng.randint(25_000, 31_000)  # above those that free_ports.py of tests/cli chooses first
            for i, role in enumerate(self.roles):
                role["port_map"] = {"fixed": first_port + i, "free": 0}
        self.options = [f"grace_s={grace_s}", f"backoff=initial:{rng.choice(('0', '0.01', '0.1'))}"]
        self._maybe(rng, 0.3, f"max_parallel={rng.randint(1, 4)}")
        self._maybe(rng, 0.2, f"timeout_s={rng.choice((0.1, 0.4))}")
        self._maybe(rng, 0.15, f"app_timeout_s={rng.choice((0.3, 1))}")
        self._maybe(rng, 0.2, "fail_fast=true")
        self._maybe(rng, 0.2, f"retry_on={rng.choice(('1', '7;SIGKILL', 'lost;timeout', 'SIGABRT;SIGSEGV'))}")

    def _maybe(self, rng, chance, option):
        if rng.random() < chance:
            self.options.append(option)

    @staticmethod
    def _role(rng, name, actor, account_dir):
        replicas = rng.choice((1, 2, 3, 5, 8, 8, 40))
        few = replicas <= 8  # few enough for children and probes
        behaviour = [f"lines={rng.choice((0, 3, 30, 300))}", f"width={rng.choice((0, 20, 300))}",
                f"pause_us={rng.choice((0, 0, 300, 5000))}", f"ignore_term={rng.choice((0, 0, 1))}"]
        if few and rng.random() < 0.5:
            behaviour.append("children=" + ",".join(rng.choices(("fork", "setsid", "double"), k=rng.randint(1, 3))))
        behaviour.append("ends=" + ",".join(rng.choice(ENDS) for _ in range(rng.randint(1, 3))))
        role = {"name": name, "image": ".", "entrypoint": str(actor), "num_replicas": replicas,
                "args": [str(account_dir), name, "${replica_id}", *behaviour],
                "max_retries": rng.choice((0, 0, 1, 3)), "retry_policy": rng.choice(POLICIES)}
        if rng.random() < 0.2:
            role["min_replicas"] = rng.randint(1, replicas)
        if few and rng.random() < 0.3:
            # The probe succeeds at once, fails, hangs with a child, or succeeds by chance (`$$$$` becomes `$$`, the pid
            # of its shell).
            role["metadata"] = {"local": {"ready": {
                "command": rng.choice(("exit 0", "exit 1", "sleep 1000 & sleep 1000", "[ $(($$$$ % 3)) = 0 ]")),
                "interval_s": 0.05, "timeout_s": rng.choice((0.1, 1000)), "within_s": rng.choice((0, 0.3, 60))}}}
        return role

    def write(self, path):
        path.write_text(json.dumps({"name": "chaos", "roles": self.roles}))

    def __str__(self):
        roles = ["%s x%d %s/%d min=%s [%s]" % (r["name"], r["num_replicas"], r["retry_policy"], r["max_retries"],
                                              r.get("min_replicas"), " ".join(r["args"][3:])) +
                 (" service" if r.get("service") else "") +
                 (" %s" % r["metadata"]["local"]["ready"] if "metadata" in r else "") for r in self.roles]
        return "; ".join(roles) + "; " + " ".join(self.options)
