# The command gait with all that it needs: docker build -t gait-pipeline .
#   docker run --rm --user $(id -u):$(id -g) -v /path/to/my_study:/study gait-pipeline
FROM python:3.12-slim

# ezc3d and matplotlib need nothing beside their wheels.
COPY requirements.lock /opt/gait/
RUN pip install --no-cache-dir --require-hashes -r /opt/gait/requirements.lock

COPY . /opt/gait/source
RUN pip install --no-cache-dir --no-deps --no-build-isolation /opt/gait/source && rm -r /opt/gait/source

# Compiled kernels and Snakemake's caches, for whoever runs it.
ENV XDG_CACHE_HOME=/tmp/cache MPLCONFIGDIR=/tmp/cache/matplotlib
WORKDIR /study
ENTRYPOINT ["gait"]
CMD ["run", "/study"]
