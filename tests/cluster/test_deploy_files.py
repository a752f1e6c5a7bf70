"""The ready files for clouds have the structure that Ray and KubeRay ask for."""

from __future__ import annotations

import json
import shlex
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from outflank.cli import app

ray = pytest.importorskip("ray", reason="Ray is not installed")
yaml = pytest.importorskip("yaml")
jsonschema = pytest.importorskip("jsonschema")

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"

_POD = {
    "type": "object",
    "required": ["spec"],
    "properties": {
        "spec": {
            "type": "object",
            "required": ["containers"],
            "properties": {
                "containers": {
                    "type": "array",
                    "minItems": 1,
                    "items": {"type": "object", "required": ["name", "image"]},
                }
            },
        }
    },
}
_START = {"type": "object", "additionalProperties": {"type": "string"}}
_COUNT = {"type": "integer", "minimum": 0}

# From the documentation of KubeRay's custom resource RayJob, ray.io/v1: what is used of it here.
RAY_JOB = {
    "type": "object",
    "required": ["apiVersion", "kind", "metadata", "spec"],
    "additionalProperties": False,
    "properties": {
        "apiVersion": {"const": "ray.io/v1"},
        "kind": {"const": "RayJob"},
        "metadata": {"type": "object", "required": ["name"]},
        "spec": {
            "type": "object",
            "required": ["entrypoint", "rayClusterSpec"],
            "additionalProperties": False,
            "properties": {
                "entrypoint": {"type": "string"},
                "shutdownAfterJobFinishes": {"type": "boolean"},
                "ttlSecondsAfterFinished": _COUNT,
                "backoffLimit": _COUNT,
                "rayClusterSpec": {
                    "type": "object",
                    "required": ["headGroupSpec"],
                    "additionalProperties": False,
                    "properties": {
                        "rayVersion": {"type": "string"},
                        "enableInTreeAutoscaling": {"type": "boolean"},
                        "headGroupSpec": {
                            "type": "object",
                            "required": ["template"],
                            "additionalProperties": False,
                            "properties": {"rayStartParams": _START, "template": _POD},
                        },
                        "workerGroupSpecs": {
                            "type": "array",
                            "items": {
                                "type": "object",
                                "required": ["groupName", "template", "minReplicas", "maxReplicas"],
                                "additionalProperties": False,
                                "properties": {
                                    "groupName": {"type": "string"},
                                    "replicas": _COUNT,
                                    "minReplicas": _COUNT,
                                    "maxReplicas": _COUNT,
                                    "rayStartParams": _START,
                                    "template": _POD,
                                },
                            },
                        },
                    },
                },
            },
        },
    },
}


def load(name: str) -> Any:
    return yaml.safe_load((DEPLOY / name).read_text())


def test_the_file_for_ray_up_keeps_rays_schema() -> None:
    schema = json.loads((Path(ray.__file__).parent / "autoscaler" / "ray-schema.json").read_text())
    config = load("ray-up.yaml")
    jsonschema.validate(config, schema)
    assert config["head_node_type"] in config["available_node_types"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**config, "max_workers": "many"}, schema)


def test_the_job_for_kuberay_keeps_its_structure() -> None:
    job = load("kuberay-job.yaml")
    jsonschema.validate(job, RAY_JOB)
    wrong = deepcopy(job)
    wrong["spec"]["rayClusterSpec"]["workerGroupSpecs"][0]["replicas"] = "two"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, RAY_JOB)


def test_the_command_of_the_job_is_one() -> None:
    program, *arguments = shlex.split(load("kuberay-job.yaml")["spec"]["entrypoint"])
    assert program == "outflank"
    done = CliRunner().invoke(app, [*arguments, "--fields"])
    assert done.exit_code == 0, done.output
