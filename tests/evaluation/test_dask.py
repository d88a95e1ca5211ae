"""An evaluation on a Dask cluster: two real worker processes."""

from distributed import Client, LocalCluster

from tests.evaluation.small import FULL, SILENT, app, some_cases
from travel_lab.evaluation import evaluate


def test_a_dask_cluster_gives_the_same_rows_as_one_process():
    """Two workers in processes of their own, through the client's executor."""
    cases = some_cases(6)
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        assert len(client.scheduler_info()["workers"]) == 2
        spread = evaluate(app(cases), cases, [FULL, SILENT], executor=client.get_executor())
    assert spread == evaluate(app(cases), cases, [FULL, SILENT])
