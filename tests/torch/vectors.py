"""Reference vectors of message passing networks, in plain PyTorch; see README.md.

    /usr/bin/python3 tests/torch/vectors.py [DIRECTORY]

Every network is written out in operations on matrices, in double precision: small enough to be read
beside the formulas in src/batch/loops.h and sequence.h.
"""
import json
import os
import sys

import torch

torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)

# (nodes, edges, labels, class); labels are more frequent the smaller they are, since that is the
# order of the columns of our one-hot features.
GRAPHS = [
    (5, [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4)], [0, 1, 0, 2, 0], 0),
    (3, [(0, 1), (1, 2)], [1, 0, 0], 1),
    (1, [], [0], 0),
    (12, [(k, (k + 1) % 9) for k in range(9)] + [(0, 9), (3, 10), (6, 11), (1, 5), (9, 10)],
     [0, 0, 1, 0, 2, 0, 1, 0, 0, 1, 2, 0], 2),
    (4, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], [1, 0, 1, 0], 1),
]
CLASSES, LABELS = 3, 3
LR = 0.01


def batch():
    """Features [node][label columns, degree], adjacency, graph of every node, classes."""
    n = sum(g[0] for g in GRAPHS)
    x, a = torch.zeros(n, LABELS + 1), torch.zeros(n, n)
    owner, first = torch.zeros(n, dtype=torch.long), 0
    for number, (nodes, edges, labels, _) in enumerate(GRAPHS):
        for i in range(nodes):
            x[first + i, labels[i]] = 1
            owner[first + i] = number
        for i, j in edges:
            a[first + i, first + j] = a[first + j, first + i] = 1
        first += nodes
    x[:, LABELS] = a.sum(1)
    return x, a, owner, torch.tensor([g[3] for g in GRAPHS])


def pool(x, owner, how):
    """One row per graph; several ways side by side."""
    if isinstance(how, list):
        return torch.cat([pool(x, owner, h) for h in how], 1)
    rows = [x[owner == g] for g in range(len(GRAPHS))]
    if how == "max":
        return torch.stack([r.max(0).values for r in rows])
    return torch.stack([r.sum(0) if how == "sum" else r.mean(0) for r in rows])


class Model:
    """Parameters in the order in which they are asked for, with short decimal start values."""

    def __init__(self, seed):
        self.generator = torch.Generator().manual_seed(seed)
        self.names, self.parameters, self.running = [], {}, {}
        self.training = True

    def parameter(self, name, *shape, scale=0.5, centre=0.0):
        if name not in self.parameters:
            value = centre + scale * torch.randn(*shape, generator=self.generator)
            value = torch.round(value * 1000) / 1000
            self.parameters[name] = value.requires_grad_()
            self.names.append(name)
        return self.parameters[name]

    def linear(self, name, x, width, bias=True, scale=0.5):
        y = x @ self.parameter(name + ".w", x.shape[1], width, scale=scale)
        return y + self.parameter(name + ".b", width) if bias else y

    def norm(self, name, x):
        width = x.shape[1]
        gain = self.parameter(name + ".gain", width, scale=0.2, centre=1.0)
        shift = self.parameter(name + ".shift", width)
        kept = self.running.setdefault(name, [torch.zeros(width), torch.ones(width)])
        if self.training:
            mean, variance = x.mean(0), x.var(0, unbiased=False)
            kept[0] = 0.9 * kept[0] + 0.1 * mean.detach()
            kept[1] = 0.9 * kept[1] + 0.1 * x.var(0, unbiased=True).detach()
        else:
            mean, variance = kept
        return (x - mean) / torch.sqrt(variance + 1e-5) * gain + shift


class Gin(Model):
    def __init__(self, seed, width, convs, pooling, eps):
        super().__init__(seed)
        self.width, self.convs, self.pooling, self.eps = width, convs, pooling, eps

    def block(self, name, x):
        for k in "12":
            x = self.linear(f"{name}.{k}", x, self.width, bias=False)
            x = torch.relu(self.norm(f"{name}.norm{k}", x))
        return x

    def forward(self, x, a, owner):
        x = self.block("first", x)
        out = self.linear("out0", pool(x, owner, self.pooling), CLASSES)
        for k in range(1, self.convs + 1):
            eps = self.parameter(f"eps{k}", 1, scale=0.3) if self.eps else 0.0
            x = self.block(f"conv{k}", (1 + eps) * x + a @ x)
            out = out + self.linear(f"out{k}", pool(x, owner, self.pooling), CLASSES)
        return out


class Sage(Model):
    def __init__(self, seed, width, layers, how, own=False):
        super().__init__(seed)
        self.width, self.layers, self.how, self.own = width, layers, how, own

    def neighbours(self, x, a):
        """Zeros where there are none."""
        if self.how == "max":
            none = torch.zeros(x.shape[1])
            rows = [x[a[i] > 0] for i in range(len(a))]
            return torch.stack([r.max(0).values if len(r) else none for r in rows])
        return a @ x if self.how == "add" else (a @ x) / a.sum(1, keepdim=True).clamp(min=1)

    def layer(self, name, x, a):
        if not self.own:
            return self.linear(name, self.neighbours(x, a + torch.eye(len(a))), self.width)
        y = self.linear(name + ".near", self.neighbours(x, a), self.width, bias=False)
        return y + self.linear(name + ".self", x, self.width)

    def forward(self, x, a, owner):
        parts = []
        for k in range(self.layers):
            x = self.layer(f"layer{k}", x, a)
            if self.how == "max":
                x = torch.relu(self.linear("shared", x, self.width))
            parts.append(x)
        x = pool(torch.cat(parts, 1), owner, "max")
        return self.linear("out", torch.relu(self.linear("dense", x, self.width)), CLASSES)


class Gcn(Model):
    def __init__(self, seed, width, layers, pooling):
        super().__init__(seed)
        self.width, self.layers, self.pooling = width, layers, pooling

    def forward(self, x, a, owner):
        a = a + torch.eye(len(a))
        root = a.sum(1).rsqrt()
        a = root[:, None] * a * root[None, :]
        for k in range(self.layers):
            x = torch.relu(self.linear(f"layer{k}", a @ x, self.width))
        return self.linear("out", pool(x, owner, self.pooling), CLASSES)


class Jumping(Model):
    """Layers of GCN, each pooled in several ways."""

    def __init__(self, seed, width, layers, ways):
        super().__init__(seed)
        self.width, self.layers, self.ways = width, layers, ways

    def forward(self, x, a, owner):
        a = a + torch.eye(len(a))
        root = a.sum(1).rsqrt()
        a = root[:, None] * a * root[None, :]
        parts = []
        for k in range(self.layers):
            x = torch.tanh(self.linear(f"layer{k}", a @ x, self.width))
            parts.append(pool(x, owner, self.ways))
        return self.linear("out", torch.cat(parts, 1), CLASSES)


class Gat(Model):
    def __init__(self, seed, layers, ways):
        super().__init__(seed)
        self.layers, self.ways = layers, ways  # (channels of a head, heads) of each layer

    def layer(self, name, x, a, width, heads):
        """Each node attends to its neighbours and itself; heads side by side."""
        x = self.linear(name, x, heads * width, bias=False).reshape(len(x), heads, width)
        near = (x * self.parameter(name + ".near", heads, width)).sum(2)
        own = (x * self.parameter(name + ".own", heads, width)).sum(2)
        score = torch.nn.functional.leaky_relu(near[None, :, :] + own[:, None, :], 0.2)
        score = score.masked_fill((a + torch.eye(len(a)) == 0)[:, :, None], -torch.inf)
        y = torch.einsum("ijh,jhc->ihc", torch.softmax(score, 1), x)
        return y.reshape(len(x), heads * width) + self.parameter(name + ".b", heads * width)

    def forward(self, x, a, owner):
        for k, (width, heads) in enumerate(self.layers):
            x = torch.relu(self.layer(f"layer{k}", x, a, width, heads))
        return self.linear("out", pool(x, owner, self.ways), CLASSES)


class Dgcnn(Model):
    def __init__(self, seed, width, layers, dense, rows, channels=False):
        super().__init__(seed)
        self.width, self.layers, self.dense, self.rows = width, layers, dense, rows
        self.channels = channels  # sorted, too, and before nodes are

    def sort(self, x, owner):
        out = torch.zeros(len(GRAPHS), self.rows, x.shape[1])
        for g in range(len(GRAPHS)):
            nodes = (owner == g).nonzero().flatten().tolist()
            nodes.sort(key=lambda i: tuple(-v for v in reversed(x[i].tolist())))
            kept = nodes[:self.rows]
            out[g, :len(kept)] = x[kept]
        return out

    def forward(self, x, a, owner):
        a = a + torch.eye(len(a))
        a = a / a.sum(1, keepdim=True)
        parts = []
        for k in range(self.layers + 1):
            width = self.width if k < self.layers else 1
            x = torch.tanh(a @ self.linear(f"layer{k}", x, width))
            parts.append(x)
        x = torch.cat(parts, 1)
        x = self.sort(x.sort(1).values if self.channels else x, owner)  # [graph][row][channel]
        x = torch.relu(self.linear("conv1", x.flatten(0, 1), 16))
        x = x.reshape(len(GRAPHS), self.rows // 2, 2, 16).max(2).values
        windows = x.unfold(1, 5, 1).transpose(2, 3)  # [graph][window][place][channel]
        x = torch.relu(self.linear("conv2", windows.flatten(2).flatten(0, 1), 32, scale=0.2))
        x = x.reshape(len(GRAPHS), -1)
        return self.linear("out", torch.relu(self.linear("dense", x, self.dense)), CLASSES)


MODELS = {
    "gin-sum": lambda: Gin(1, 4, 2, "sum", True),
    "gin-mean": lambda: Gin(2, 4, 1, "mean", False),
    "graphsage-add": lambda: Sage(3, 4, 3, "add"),
    "graphsage-mean": lambda: Sage(4, 4, 3, "mean"),
    "graphsage-max": lambda: Sage(5, 4, 2, "max"),
    "graphsage-own-add": lambda: Sage(9, 4, 2, "add", True),
    "graphsage-own-mean": lambda: Sage(10, 4, 2, "mean", True),
    "graphsage-own-max": lambda: Sage(11, 4, 2, "max", True),
    "gcn-mean": lambda: Gcn(6, 4, 2, "mean"),
    "gcn-sum": lambda: Gcn(7, 4, 3, "sum"),
    "gcn-jumping": lambda: Jumping(13, 4, 2, ["sum", "mean", "max"]),
    "gat-mean": lambda: Gat(14, [(4, 1), (3, 1)], "mean"),
    "gat-heads": lambda: Gat(15, [(3, 2), (2, 4)], ["sum", "max"]),
    "gin-max": lambda: Gin(16, 3, 1, "max", True),
    "dgcnn": lambda: Dgcnn(8, 4, 2, 6, 10),
    "dgcnn-channels": lambda: Dgcnn(12, 4, 2, 6, 10, True),
}


def numbers(tensor):
    return [float(f"{v:.9g}") for v in tensor.detach().flatten().tolist()]


def run(name, make):
    x, a, owner, target = batch()
    model = make()
    model.forward(x, a, owner)  # makes the parameters
    model.running = {}
    out = model.forward(x, a, owner)
    loss = torch.nn.functional.cross_entropy(out, target)
    parameters = [model.parameters[k] for k in model.names]
    adam = torch.optim.Adam(parameters, lr=LR)
    start = [p.detach().clone() for p in parameters]
    loss.backward()
    adam.step()
    model.training = False
    evaluated = model.forward(x, a, owner)
    return {
        "name": name,
        "torch": torch.__version__,
        "graphs": [{"nodes": n, "edges": e, "labels": l, "class": c} for n, e, l, c in GRAPHS],
        "classes": CLASSES,
        "lr": LR,
        "outputs": numbers(out),
        "loss": float(f"{loss.item():.9g}"),
        "parameters": [
            {"name": k, "shape": list(p.shape), "values": numbers(s), "gradient": numbers(p.grad),
             "after": numbers(p)}
            for k, p, s in zip(model.names, parameters, start)
        ],
        "running": [
            {"name": k, "mean": numbers(v[0]), "variance": numbers(v[1])}
            for k, v in model.running.items()
        ],
        "evaluated": numbers(evaluated),
    }


def main():
    directory = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    for name, make in MODELS.items():
        with open(os.path.join(directory, name + ".json"), "w", encoding="ascii") as out:
            json.dump(run(name, make), out, separators=(",", ":"))
            out.write("\n")


if __name__ == "__main__":
    main()
