// rings.cpp - graphs from C++ vectors: train, predict, and stop when asked to.
//
//     c++ -std=c++17 rings.cpp $(pkg-config --cflags --libs regula) -o rings
//     ./rings
//
// Every second graph is a ring, the others are paths; node 0 has the label "N", the others have "C".
#include <regula/regula.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// What the library makes is freed by its function; a status that is not RG_OK is an exception.
template <auto Free> struct Freed {
    template <class Type> void operator()(Type *object) const { Free(object); }
};
using Dataset = std::unique_ptr<rg_dataset, Freed<rg_dataset_free>>;
using Recipe = std::unique_ptr<rg_recipe, Freed<rg_recipe_free>>;
using Model = std::unique_ptr<rg_model, Freed<rg_model_free>>;
using Splits = std::unique_ptr<rg_splits, Freed<rg_splits_free>>;

void check(rg_status status, const rg_error &error)
{
    if (status != RG_OK)
        throw std::runtime_error(error.message);
}

template <class Item> rg_matrix matrix(const std::vector<Item> &items, rg_item type, size_t columns = 1)
{
    return {items.data(), type, items.size() / columns, columns, 0, 0};
}

Dataset rings_and_paths(size_t n_graphs)
{
    std::vector<uint32_t> nodes, edges;
    std::vector<const char *> atoms, classes;
    for (size_t g = 0; g < n_graphs; g++) {
        uint32_t n = 4 + uint32_t(g % 9), first = uint32_t(atoms.size());
        nodes.push_back(n);
        classes.push_back(g % 2 ? "ring" : "path");
        for (uint32_t i = 0; i < n; i++) {
            atoms.push_back(i ? "C" : "N");
            if (i + 1 < n || g % 2)
                edges.insert(edges.end(), {first + i, first + (i + 1) % n});
        }
    }
    const rg_graph_columns columns[] = {{RG_NODE_LABEL, matrix(atoms, RG_ITEM_TEXT), nullptr},
                                        {RG_CLASS, matrix(classes, RG_ITEM_TEXT), nullptr}};
    rg_graph_arrays arrays = RG_GRAPH_ARRAYS_INIT;
    arrays.n_graphs = n_graphs;
    arrays.nodes = matrix(nodes, RG_ITEM_U32);
    arrays.edges = matrix(edges, RG_ITEM_U32, 2);
    arrays.columns = columns;
    arrays.n_columns = 2;
    rg_error error{};
    rg_dataset *out = nullptr;
    check(rg_dataset_from_arrays(&out, &arrays, &error), error);
    return Dataset(out);
}

Model train(const rg_dataset *data, const std::string &network)
{
    rg_error error{};
    rg_recipe *recipe = nullptr;
    check(rg_recipe_parse(&recipe, "network", network.data(), network.size(), &error), error);
    Recipe kept(recipe);
    rg_split_options tenth = RG_SPLIT_OPTIONS_INIT;
    tenth.n_folds = 1;
    rg_splits *splits = nullptr;
    check(rg_splits_make(&splits, data, &tenth, &error), error);
    Splits parts(splits);
    rg_fold fold = rg_splits_fold(splits, 0);
    rg_source source{data, nullptr};
    rg_train_options options = RG_TRAIN_OPTIONS_INIT;
    options.progress = [](void *, const rg_train_state *state) { return int(state->last[0].train_loss < 0.05); };
    rg_train_report report = RG_TRAIN_REPORT_INIT;
    rg_model *model = nullptr;
    check(rg_model_train(&model, &report, recipe, &source, &fold, &options, &error), error);
    std::printf("%s after %u epochs\n", report.interrupted ? "stopped" : "done", unsigned(report.epochs));
    return Model(model);
}

} // namespace

int main()
{
    try {
        Dataset data = rings_and_paths(200);
        Model model = train(data.get(), "labels: {label: \"wl(depth=1, from=combine(node, degree))\"}\n"
                                        "layers:\n"
                                        "  - rule: share label(i), label(j), dist(i,j) when dist(i,j) in 0..2\n"
                                        "  - aggregate: share out, label(i)\n"
                                        "training: {epochs: 200, batch: 32, lr: 0.05}\n");
        std::vector<uint32_t> classes(rg_dataset_n_graphs(data.get()));
        rg_prediction_arrays arrays = RG_PREDICTION_ARRAYS_INIT;
        arrays.n_rows = classes.size();
        arrays.classes = classes.data();
        rg_source source{data.get(), nullptr};
        rg_error error{};
        check(rg_model_predict_arrays(&arrays, model.get(), &source, nullptr, nullptr, &error), error);
        std::printf("graph 0 is a %s, graph 1 a %s\n", rg_model_output_name(model.get(), classes[0]),
                    rg_model_output_name(model.get(), classes[1]));
        return 0;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "rings: %s\n", error.what());
        return 1;
    }
}
